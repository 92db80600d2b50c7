import type { KnowledgeState } from '../retrieval.port.js';
import type { DocumentContent, DocumentRow } from './rows.js';

/** A document's content as it is found, and the agent's knowledge version that brought it. */
export interface KnownDocument extends Pick<DocumentRow, 'id' | 'sourceType' | 'title'>, DocumentContent {
  version: number;
}

/** What search engines outside of the database are fed from. Each call is one indexed statement. */
export interface KnowledgeReads {
  /** How far the agents' knowledge has come; in the order of their ids, those behind `after`. */
  states(after: string, limit: number): Promise<KnowledgeState[]>;
  /**
   * Documents that were added or replaced at versions above `after`, up to and including `upTo`, in the
   * order of the versions.
   */
  changed(
    agentId: string,
    after: number,
    upTo: number,
    limit: number,
  ): Promise<{ documentId: string; version: number }[]>;
  /** null when it is gone. */
  document(agentId: string, documentId: string): Promise<KnownDocument | null>;
  /** All documents of the agent that can be found. */
  documentIds(agentId: string): Promise<string[]>;
}
