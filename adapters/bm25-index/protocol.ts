import type { SearchAnswer } from '../../core/ports/retrieval.port.js';
import type { RankedChunk } from '../../core/retrieval/index/best-chunks.js';
import type { Ranking, RankRequest } from '../../core/retrieval/index/rank.js';
import type { DatabaseOptions } from '../sequelize/database/connection.js';

/* Messages between the API and its retrieval thread. */

/** The thread's start options. */
export interface ThreadOptions {
  database: DatabaseOptions;
  /** Limit for all indexes. */
  memoryBytes: number;
  /** Limit for all vectors. */
  vectorBytes: number;
}

export type ThreadRequest = { id: number } & (
  | { kind: 'search'; agentId: string; knowledgeVersion: number; rank: RankRequest }
  | {
      kind: 'nearest';
      agentId: string;
      knowledgeVersion: number;
      space: string;
      vector: Float32Array;
      limit: number;
      sourceTypes: readonly number[] | null;
    }
  | { kind: 'forget'; agentId: string }
);

export type Origin = NonNullable<SearchAnswer['origin']>;

export interface ThreadResult {
  ranking: Ranking;
  documents: number;
  knowledgeVersion: number;
  origin: Origin;
  /** All indexes in memory. */
  indexBytes: number;
}

/** Results by request type; null if the agent does not exist or lacks vectors. */
export interface ThreadResults {
  search: ThreadResult | null;
  nearest: RankedChunk[] | null;
  forget: null;
}

export type ThreadReply =
  | { id: number; result: ThreadResults[keyof ThreadResults] }
  | { id: number; error: string }
  /** Sent every second, unless the thread is stuck. */
  | { alive: true }
  | { warning: string; fields: object };
