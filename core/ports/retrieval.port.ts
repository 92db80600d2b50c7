import type { SourceType } from '../knowledge/sources/source-types.js';
import type { Health } from './health.js';
import type { AgentState } from './store/rows.js';

/*
 * A search engine ranks the chunks of one agent for a question. Core reads the texts of the chunks from the store, and
 * drops deleted ones.
 */

/** An agent and its knowledge version. */
export type KnowledgeState = Pick<AgentState, 'id' | 'knowledgeVersion' | 'removals'>;

/**
 * The agent to search. `embeddedAs` and `embeddedVersion`, if known, say up to which version its documents have
 * vectors.
 */
export type AskedAgent = KnowledgeState & Partial<Pick<AgentState, 'embeddedAs' | 'embeddedVersion'>>;

/** A search term, normalised by `analyse`. */
export interface SearchTerm {
  term: string;
  /** Weight of its matches: 1 for topics of the question; less for common words, synonyms and the previous message. */
  weight: number;
}

export interface SearchRequest {
  agent: AskedAgent;
  /** The original question, for engines that do more than match terms. */
  question: string;
  /** Distinct terms of the question. */
  terms: readonly SearchTerm[];
  /** Maximum number of hits; 0 requests only the frequencies. */
  limit: number;
  /** Restricts the search to documents of these types; null for all. */
  sourceTypes: readonly SourceType[] | null;
}

export interface SearchHit {
  documentId: string;
  sourceType: SourceType;
  /**
   * The agent's knowledge version at which the ranked content was stored. If the document now has another version, its
   * content has changed.
   */
  version: number;
  /** Position of the chunk in its document. */
  chunk: number;
  /** Higher is better; comparable only within one response. */
  score: number;
}

export interface SearchAnswer {
  /** Best first. Equal scores are sorted by document id, then by position. */
  hits: SearchHit[];
  /** Number of the agent's chunks, and the document frequency of each term of the request. */
  chunks: number;
  frequencies: number[];
  /** Number of the agent's documents in the index, and the knowledge version of the index. */
  documents: number;
  knowledgeVersion: number;
  /** For engines with in-memory indexes: whether it was current, updated or loaded. For metrics. */
  origin?: 'warm' | 'refreshed' | 'cold';
  /** Set by core after a search by vectors. */
  meaning?: Meaning;
}

/** What the vectors say about a question that no passage covers with its words. */
export interface Meaning {
  /** The nearest chunks, best first; the score is the similarity. */
  nearest: readonly SearchHit[];
  /** Minimum similarity of a related chunk. */
  leastSimilarity: number;
  /** Minimum similarity of a sentence that answers the question. */
  answeringSimilarity: number;
  /** Returns the similarity of each text to the question; null if the model does not answer in time. */
  similarTo(texts: readonly string[]): Promise<number[] | null>;
}

/** A vector search, for engines with the vectors of the documents. */
export interface NearestRequest {
  agent: KnowledgeState;
  /** Only vectors of this space are compared. */
  space: string;
  /** Unit vector. */
  vector: Float32Array;
  /** Maximum number of hits; 0 requests only the frequencies. */
  limit: number;
  /** Restricts the search to documents of these types; null for all. */
  sourceTypes: readonly SourceType[] | null;
}

/** A part of a document: the unit that an engine ranks. */
export interface FedChunk {
  text: string;
  /** Titles of the headings above it, outermost first. */
  headings: readonly string[];
  /**
   * Terms of the text, its headings and the document's title with their counts, normalised by `analyse`. They are
   * matched with SearchTerm.
   */
  words: ReadonlyMap<string, number>;
}

/** An added or replaced document. */
export interface FedDocument {
  documentId: string;
  /** The agent's knowledge version at which this content was stored; returned in SearchHit. */
  version: number;
  sourceType: SourceType;
  title: string;
  /**
   * In document order; may be empty. Computed while iterating, in time slices, because there may be tens of
   * thousands. Can be iterated several times.
   */
  chunks: AsyncIterable<FedChunk>;
}

/** Changes of one agent's knowledge between two versions. */
export interface KnowledgeChanges {
  agentId: string;
  /** Version before the changes; 0 if the engine does not know the agent. */
  after: number;
  /** Version after the changes. */
  knowledgeVersion: number;
  /** Each document replaces all of its previous chunks. */
  documents: readonly FedDocument[];
  /**
   * Set after deletions: the ids of the remaining documents (delete all others) and the agent's new `removals`. Null if
   * nothing was deleted.
   */
  left: { removals: number; documentIds: readonly string[] } | null;
}

/**
 * Synchronises an engine that keeps its own copy. Core periodically reads the engine's versions and applies missing
 * changes, possibly from several processes at once. The engine stores the versions with its copy; an empty engine
 * receives everything from the beginning.
 */
export interface Feed {
  /** Returns agents and their versions in the engine, by id (ASCII order), after `after` ('' at first). */
  known(after: string, limit: number): Promise<KnowledgeState[]>;
  /**
   * Applies all changes atomically, or none if the engine's version of the agent is not `after`, so that repeating them
   * has no effect. Returns the engine's version once it is durable.
   */
  apply(changes: KnowledgeChanges): Promise<KnowledgeState>;
}

export interface Retrieval {
  /** Null if the engine reads the database itself and is always current. */
  readonly feed: Feed | null;
  /**
   * Searches the agent's knowledge at `knowledgeVersion` or later. An engine that lags behind searches its current copy
   * and returns the `knowledgeVersion` of the copy. Rejects with RetrievalUnavailable; any other error is treated the
   * same.
   */
  search(request: SearchRequest): Promise<SearchAnswer>;
  /**
   * Returns the nearest chunks, best first; scores are cosines. Null if the engine lacks vectors of the agent's
   * knowledge at `knowledgeVersion`. Only for engines that read the database's vectors; core fuses both rankings.
   */
  nearest?(request: NearestRequest): Promise<SearchHit[] | null>;
  /** Deletes all data of a deleted agent. Idempotent. */
  forget(agentId: string): Promise<void>;
  health(): Promise<Health>;
  /** Returns the memory of in-process indexes in bytes, for metrics. */
  memory?(): number;
}

/** The engine cannot be reached or did not respond in time. Temporary. */
export class RetrievalUnavailable extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'RetrievalUnavailable';
  }
}
