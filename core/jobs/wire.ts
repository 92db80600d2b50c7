import type { JsonObject } from '../ports/json.js';
import type { Failure } from './failures.js';

/**
 * What travels between API and workers. Versioned: a reader refuses a version that it does not know.
 * A message holds ids and small values only; a big text travels through storage (claim check).
 */
export const WIRE_VERSION = 1;

export type TaskType = 'crawl_page' | 'parse_file';

/** Fetch one page and extract its text. */
export interface CrawlPagePayload {
  /** Normalised URL. */
  url: string;
  /** Validators of the content that is stored now: lets the site answer 304. */
  known?: { etag?: string; lastModified?: string };
}

/** Read one uploaded file and extract its text. */
export interface ParseFilePayload {
  storagePath: string;
  fileName: string;
  bytes: number;
  /** Opaque version mark from the registration: the object must still be that one. */
  etag: string;
}

export interface TaskPayloads {
  crawl_page: CrawlPagePayload;
  parse_file: ParseFilePayload;
}

/** One attempt of one task, as it goes to a worker. `taskId` + `attempt` identify it everywhere. */
export type TaskMessage = {
  [T in TaskType]: {
    v: number;
    taskId: string;
    jobId: number;
    agentId: string;
    attempt: number;
    type: T;
    payload: TaskPayloads[T];
    /** Of the request that made the job, for the logs of every station. */
    requestId: string | null;
  };
}[TaskType];

/** A stretch of the stored text, for retrieval. Offsets are UTF-16 code units into the text, end exclusive. */
export interface Chunk {
  start: number;
  end: number;
  /** Titles of the headings above, outermost first. */
  headings: string[];
}

/** What a worker got out of a page or a file. */
export interface Extraction {
  title: string | null;
  text: string;
  chunks: Chunk[];
  /** Becomes part of `sourceMetadata`: safe to show, a few hundred bytes. */
  metadata: JsonObject;
}

/** Result of an attempt that worked. `ref` names a storage object that holds the extraction when it is too big for a message. */
export type Outcome =
  | { kind: 'unchanged'; metadata: JsonObject }
  | { kind: 'extracted'; contentHash: string; extraction: Extraction }
  | { kind: 'stored'; contentHash: string; ref: string };

interface EventBase {
  v: number;
  taskId: string;
  jobId: number;
  agentId: string;
  attempt: number;
  /** Which worker speaks, for operators. */
  worker: string;
}

/** What workers (and the dead-letter queue) tell the API about an attempt. */
export type TaskEvent =
  | (EventBase & { kind: 'started' })
  | (EventBase & { kind: 'alive' })
  | (EventBase & { kind: 'succeeded'; outcome: Outcome })
  | (EventBase & { kind: 'failed'; failure: Failure })
  | (EventBase & { kind: 'dead'; reason: string });
