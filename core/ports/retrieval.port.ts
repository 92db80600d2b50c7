import type { SourceType } from '../knowledge/source-types.js';
import type { Health } from './health.js';
import type { AgentState } from './store/rows.js';

/*
 * What core needs of a search engine: the best chunks of one agent for a question. An engine only ranks. Core
 * reads in the store what a chunk says, and whether it is still there.
 */

/** An agent, and how far its knowledge has come. */
export type KnowledgeState = Pick<AgentState, 'id' | 'knowledgeVersion' | 'removals'>;

/** An agent that is asked, and how far all that it knows has vectors, where the caller has looked. */
export type AskedAgent = KnowledgeState & Partial<Pick<AgentState, 'embeddedAs' | 'embeddedVersion'>>;

/** A word to search for, as `analyse` gives it. */
export interface SearchTerm {
  term: string;
  /** How much its matches count: 1 for a word of the question, less for one of the message before. */
  weight: number;
}

export interface SearchRequest {
  agent: AskedAgent;
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
  /**
   * The agent's knowledge version at which the ranked content was stored. A document that has another
   * one by now has changed.
   */
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
  /** For engines that keep an index in memory: whether it was there, was updated, or had to be read. For metrics. */
  origin?: 'warm' | 'refreshed' | 'cold';
  /** True when vectors were searched, too, and the nearest one is about the question. Core's own. */
  isNear?: boolean;
}

/** A question as a vector, for an engine that holds those of the documents. */
export interface NearestRequest {
  agent: KnowledgeState;
  /** Whose vectors these are; others are not compared with it. */
  space: string;
  /** Of length 1. */
  vector: Float32Array;
  limit: number;
  /** Only documents of these types; null for all. */
  sourceTypes: readonly SourceType[] | null;
}

/** A stretch of a document, which is what an engine ranks. */
export interface FedChunk {
  text: string;
  /** Titles of the headings above it, outermost first. */
  headings: readonly string[];
  /**
   * The words of text, headings and the document's title as `analyse` gives them, each with its count: what a
   * SearchTerm is matched with.
   */
  words: ReadonlyMap<string, number>;
}

/** A document that came or was replaced. */
export interface FedDocument {
  documentId: string;
  /** The agent's knowledge version that brought this content; SearchHit gives it back. */
  version: number;
  sourceType: SourceType;
  title: string;
  /**
   * In the order of their positions; may be empty. Made while they are read, with pauses for others, because
   * there may be tens of thousands. Can be read again.
   */
  chunks: AsyncIterable<FedChunk>;
}

/** What has happened to one agent's knowledge between two of its versions. */
export interface KnowledgeChanges {
  agentId: string;
  /** These changes follow exactly this knowledge version; 0 is that of an agent which the engine does not know. */
  after: number;
  /** What the engine knows with them. */
  knowledgeVersion: number;
  /** Each stands for the whole document: chunks of it that the engine has go. */
  documents: readonly FedDocument[];
  /**
   * After deletions: which documents are left (all others go), and the agent's `removals` to remember. Else
   * null: nothing was deleted.
   */
  left: { removals: number; documentIds: readonly string[] } | null;
}

/**
 * How an engine that keeps its own copy learns what has changed. Core asks what the engine knows, compares, and
 * applies what is missing, again and again and from several processes at once. So only the engine has to remember
 * anything, and keeps it beside its copy. One that lost it all, or starts with nothing, is fed from the beginning.
 */
export interface Feed {
  /**
   * The agents that the engine knows, and up to which version: in the order of their ids (as ASCII), after
   * `after`, which is '' at first.
   */
  known(after: string, limit: number): Promise<KnowledgeState[]>;
  /**
   * Takes all of the changes, or none: it refuses them when the engine does not know the agent up to `after`,
   * so that the same changes do nothing when they come again. Resolves to what the engine knows now, once
   * that would survive the engine's death.
   */
  apply(changes: KnowledgeChanges): Promise<KnowledgeState>;
}

export interface Retrieval {
  /** null says that the engine reads the database itself, and is never behind it. */
  readonly feed: Feed | null;
  /**
   * Searches what the agent knew at `knowledgeVersion` or later. An engine that lags behind answers with what it has,
   * and says so in `knowledgeVersion`. Rejects with RetrievalUnavailable; any other error counts as that.
   */
  search(request: SearchRequest): Promise<SearchAnswer>;
  /**
   * The chunks nearest to the question, best first; their scores are cosines. Null when the engine lacks
   * vectors of what the agent knew at `knowledgeVersion`. Only for engines that read the database's vectors;
   * core fuses both rankings.
   */
  nearest?(request: NearestRequest): Promise<SearchHit[] | null>;
  /** The agent is gone: what is kept of it goes, too, and it is not known any more. Idempotent. */
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
