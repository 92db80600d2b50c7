import type { SearchAnswer } from '../../core/ports/retrieval.port.js';
import type { RankedChunk } from '../../core/retrieval/index/best-chunks.js';
import type { Ranking, RankRequest } from '../../core/retrieval/index/rank.js';
import type { DatabaseOptions } from '../sequelize/database/connection.js';

/* What travels between the API and its retrieval thread. */

/** What the thread is started with. */
export interface ThreadOptions {
  database: DatabaseOptions;
  /** For all indexes together. */
  memoryBytes: number;
  /** For all vectors together. */
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

export type IndexOrigin = NonNullable<SearchAnswer['origin']>;

export interface ThreadAnswer {
  ranking: Ranking;
  documents: number;
  knowledgeVersion: number;
  origin: IndexOrigin;
  /** All indexes in memory. */
  indexBytes: number;
}

/** What the thread answers to each kind of request; null when the agent is not there, or lacks vectors. */
export interface ThreadAnswers {
  search: ThreadAnswer | null;
  nearest: RankedChunk[] | null;
  forget: null;
}

export type ThreadReply =
  | { id: number; answer: ThreadAnswers[keyof ThreadAnswers] }
  | { id: number; error: string }
  /** Every second, for as long as the thread is not stuck. */
  | { alive: true }
  | { warning: string; fields: object };
