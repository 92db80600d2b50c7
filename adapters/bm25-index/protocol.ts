import type { SearchAnswer } from '../../core/ports/retrieval.port.js';
import type { RankedChunk } from '../../core/retrieval/index/best-chunks.js';
import type { Ranking, RankRequest } from '../../core/retrieval/index/rank.js';
import type { DatabaseOptions } from '../sequelize/database/connection.js';

/* Messages between the API and its retrieval thread. */

/** Options of the thread. */
export interface ThreadOptions {
  database: DatabaseOptions;
  /** Memory limit of all indexes together. */
  memoryBytes: number;
  /** Memory limit of all vectors together. */
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
  /** Size of all indexes in memory. */
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
  /** Heartbeat, sent every second unless the thread is stuck. */
  | { alive: true }
  | { warning: string; fields: object };
