import type { SearchAnswer } from '../../core/ports/retrieval.port.js';
import type { Ranking, RankRequest } from '../../core/retrieval/index/rank.js';
import type { DatabaseOptions } from '../sequelize/connect.js';

/* What travels between the API and its retrieval thread. */

/** What the thread is started with. */
export interface ThreadOptions {
  database: DatabaseOptions;
  /** For all indexes together. */
  memoryBytes: number;
}

export type ThreadRequest = { id: number } & (
  | { kind: 'search'; agentId: string; knowledgeVersion: number; rank: RankRequest }
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

export type ThreadReply =
  | { id: number; answer: ThreadAnswer | null }
  | { id: number; error: string }
  /** Every second, for as long as the thread is not stuck. */
  | { alive: true }
  | { warning: string; fields: object };
