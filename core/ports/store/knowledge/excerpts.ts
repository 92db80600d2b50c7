import type { SourceType } from '../../../knowledge/sources/source-types.js';
import type { KnowledgeState } from '../../retrieval.port.js';

/** Adjacent chunks of a document, both ends inclusive. */
export interface ChunkRange {
  documentId: string;
  first: number;
  last: number;
}

/** The current content of a range. */
export interface Excerpt extends ChunkRange {
  sourceType: SourceType;
  title: string;
  url: string | null;
  /** The agent's knowledge version at which this content was stored. */
  version: number;
  /** Code points into the document's text, end exclusive. */
  start: number;
  end: number;
  text: string;
  /** Titles of the headings above its first chunk, outermost first. */
  headings: string[];
  /** True if the range ends with the document's last chunk. */
  isLast: boolean;
}

export interface ExcerptReads {
  /**
   * Reads passages, in the order of the ranges. A passage is null if its document or chunks do not exist. Passages may
   * come from different snapshots.
   */
  excerpts(agentId: string, ranges: readonly ChunkRange[]): Promise<(Excerpt | null)[]>;
  /** Returns the agent's current knowledge version; null if the agent does not exist. */
  knowledge(agentId: string): Promise<KnowledgeState | null>;
}
