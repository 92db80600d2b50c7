import type { SourceType } from '../knowledge/source-types.js';
import type { Health } from './health.js';
import type { AgentState } from './store/rows.js';

/*
 * What core needs of a search engine: the best chunks of one agent for a question. An engine ranks; what a chunk says, and whether it is still
 * there, core reads in the store.
 */

/** An agent, and how far its knowledge has come. */
export type KnowledgeState = Pick<AgentState, 'id' | 'knowledgeVersion' | 'removals'>;

/** A word to search for, as `analyse` gives it. */
export interface SearchTerm {
  term: string;
  /** How much its matches count: 1 for a word of the question, less for one of the message before. */
  weight: number;
}

export interface SearchRequest {
  agent: KnowledgeState;
  /** What was asked, for engines that do more than match words. */
  question: string;
  /** Its words, each once. */
  terms: readonly SearchTerm[];
  limit: number;
  /** Only documents of these types; null for all. */
  sourceTypes: readonly SourceType[] | null;
}

export interface SearchHit {
  documentId: string;
  sourceType: SourceType;
  /** The agent's knowledge version that brought the content which was ranked: a document that has another one by now has changed. */
  version: number;
  /** Position of the chunk in its document. */
  chunk: number;
  /** Higher is better; comparable within one answer only. */
  score: number;
}

export interface SearchAnswer {
  /** Best first; equal scores by document id, then by position. */
  hits: SearchHit[];
  /** Chunks that the agent has, and in how many of them each term of the request stands, in its order. */
  chunks: number;
  frequencies: number[];
  /** Documents that the engine knows of this agent, and the knowledge version up to which it knows them. */
  documents: number;
  knowledgeVersion: number;
  /** For engines that keep an index in memory: whether it was there, took changes in, or had to be read. For metrics. */
  origin?: 'warm' | 'refreshed' | 'cold';
}

export interface Retrieval {
  /**
   * Searches what the agent knew at `knowledgeVersion` or later. An engine that lags behind answers with what it has, and says so in
   * `knowledgeVersion`. Rejects with RetrievalUnavailable.
   */
  search(request: SearchRequest): Promise<SearchAnswer>;
  /** The agent is gone: what is kept of it may go, too. */
  forget(agentId: string): Promise<void>;
  health(): Promise<Health>;
  /** Memory that indexes take in this process, in bytes; missing where there are none. For metrics. */
  memory?(): number;
}

/** No answer in time, or the engine cannot be reached. Nothing has changed; trying again may help. */
export class RetrievalUnavailable extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'RetrievalUnavailable';
  }
}
