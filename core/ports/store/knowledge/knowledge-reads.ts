import type { KnowledgeState } from '../../retrieval.port.js';
import type { DocumentContent, DocumentRow } from '../rows.js';

/** A document's content and the agent's knowledge version at which it was stored. */
export interface KnownDocument extends Pick<DocumentRow, 'id' | 'sourceType' | 'title'>, DocumentContent {
  version: number;
}

/** Reads for the feed of external search engines. Each call is one indexed statement. */
export interface KnowledgeReads {
  /** Returns the knowledge versions of agents after `after`, by id. */
  states(after: string, limit: number): Promise<KnowledgeState[]>;
  /**
   * Returns documents that were added or replaced at versions above `after`, up to and including `upTo`, in order of
   * version.
   */
  changed(
    agentId: string,
    after: number,
    upTo: number,
    limit: number,
  ): Promise<{ documentId: string; version: number }[]>;
  document(agentId: string, documentId: string): Promise<KnownDocument | null>;
  /** Returns all indexed documents of the agent. */
  documentIds(agentId: string): Promise<string[]>;
}
