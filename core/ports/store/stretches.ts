import type { SourceType } from '../../knowledge/source-types.js';
import type { KnowledgeState } from '../retrieval.port.js';

/** Chunks of a document that follow each other; both ends included. */
export interface ChunkRange {
  documentId: string;
  first: number;
  last: number;
}

/** What stands in such a range now, and where. */
export interface Stretch extends ChunkRange {
  sourceType: SourceType;
  title: string;
  url: string | null;
  /** The agent's knowledge version that brought this content. */
  version: number;
  /** Code points into the document's text, end exclusive. */
  start: number;
  end: number;
  text: string;
  /** Titles of the headings above its first chunk, outermost first. */
  headings: string[];
  /** Its last chunk is the document's last. */
  isLast: boolean;
}

export interface StretchReads {
  /**
   * Reads the stretches, in the order of the ranges; null for a range whose document or chunks are gone. They may be
   * read one after the other, so they need not show the same moment.
   */
  stretches(agentId: string, ranges: readonly ChunkRange[]): Promise<(Stretch | null)[]>;
  /** How far the agent's knowledge has come by now; null when there is no such agent. */
  knowledge(agentId: string): Promise<KnowledgeState | null>;
}
