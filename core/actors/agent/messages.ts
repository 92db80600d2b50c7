import type { AnswerableCode } from '../../errors/catalogue.js';
import type { IndexedText } from '../../ports/indexer.port.js';
import type { AgentState, DocumentRow, JobRow } from '../../ports/store/rows.js';
import type { EmbeddedDocument } from '../../ports/store/vectors.js';
import type { JsonObject } from '../../schemas/json.js';
import type { Extraction, TaskEvent } from '../../tasks/wire.js';

/** What a worker got out of a page or a file, ready to be found. */
export type IndexedExtraction = IndexedText & Pick<Extraction, 'title' | 'metadata'>;

/** What became of a result that a worker sent through storage: the inbox has read it before the turn. */
export type SucceededEvent = Omit<Extract<TaskEvent, { kind: 'succeeded' }>, 'outcome'> & {
  /** `metadata` of `unchanged`: the page's validators now. Workers of an earlier version leave it out. */
  outcome:
    | { kind: 'unchanged'; contentHash?: string | undefined; metadata?: JsonObject | undefined }
    | { kind: 'extracted'; contentHash: string; extraction: IndexedExtraction }
    | { kind: 'embedded'; dimensions: number; vectors: Uint8Array };
  /** The storage object that held the result: to be discarded with this turn. */
  ref: string | null;
};

export interface RegisteredFile {
  storagePath: string;
  fileName: string;
  bytes: number;
  etag: string;
}

/** Knowledge that needs no worker. */
export interface Lesson {
  sourceType: 'text_snippet' | 'qna_entry';
  title: string;
  content: IndexedText;
  /** Charged to the workspace: UTF-8 bytes of what was sent. */
  bytes: number;
  metadata: JsonObject;
}

/** Every message that an agent's actor takes, with what it answers. */
export interface AgentProtocol {
  /** Change name or website. */
  update: {
    message: { patch: Partial<Pick<AgentState, 'name' | 'url'>> };
    reply: { agent: AgentState; settings: JsonObject };
  };
  /** Merge a patch into the settings. What the plan refuses is refused after a patch that is too large. */
  configure: {
    message: { patch: JsonObject; refusal?: AnswerableCode | null };
    reply: { settings: JsonObject };
  };
  delete: { message: object; reply: null };

  /**
   * Store a text or a question with its answer, indexed by the sender. With `unique`, when the agent already has a
   * document of this type with this content, nothing is stored, and the reply names that one (`isKnown`).
   */
  learn: {
    message: { lesson: Lesson; unique: boolean };
    reply: { documentId: string; isKnown: boolean };
  };
  /**
   * Replace a text or a Q&A entry. Null, with nothing done, when the document has changed since the sender
   * read it (`before`). Refuses a document that does not exist, and content that does not fit the allowance.
   */
  revise: {
    message: { documentId: string; before: Pick<DocumentRow, 'title' | 'contentHash'>; lesson: Lesson };
    reply: { document: DocumentRow | null };
  };
  indexUrl: { message: { url: string; requestId: string }; reply: { job: JobRow } };
  /** Index up to `limit` pages that a sitemap lists. */
  indexSitemap: { message: { url: string; limit: number; requestId: string }; reply: { job: JobRow } };
  /** Remember the storage paths for which uploads were signed. */
  issueUploads: { message: { uploads: { storagePath: string; fileName: string }[] }; reply: null };
  indexFiles: {
    /**
     * With `unique`, a file whose text the agent already has from another file is not stored: its task
     * ends with that document.
     */
    message: { files: RegisteredFile[]; unique: boolean; requestId: string };
    reply: { job: JobRow };
  };
  /** A stored document is found by this from now on, if it still has the content of that hash. */
  reindex: { message: { documentId: string; contentHash: string; content: IndexedText }; reply: null };
  finishIndexing: { message: object; reply: null };
  /**
   * Have vectors made for these documents; their texts wait in storage under the task's id. Opens no task
   * when one of the documents has changed.
   */
  embed: {
    message: { taskId: string; space: string; documents: EmbeddedDocument[] };
    reply: { opened: boolean };
  };
  /** Remember that everything has its vectors, if it has. */
  finishEmbedding: { message: { space: string }; reply: { finished: boolean } };
  deleteDocument: { message: { documentId: string }; reply: null };

  /** Renew all indexed pages now. */
  retrain: { message: { requestId: string }; reply: { job: JobRow | null } };
  /** End a job with all its open tasks; one that has ended stays as it is. Null when there is none. */
  cancelJob: { message: { jobId: number }; reply: { job: JobRow | null } };
  /**
   * Try the failed tasks of a job again, as a new job; null when none of them can be. Refuses a job that is
   * unknown or has not ended.
   */
  retryJob: { message: { jobId: number; requestId: string }; reply: { failed: JobRow; job: JobRow | null } };
  /** Write, or cancel, the next tasks of a job that has too many for one turn. */
  openTasks: { message: { jobId: number }; reply: null };
  /** Renew them because the interval is over; checked again, so that it happens once. */
  autoRetrain: { message: { intervalSeconds: number }; reply: { job: JobRow | null } };

  /** Forget some of the jobs that ended before this second. */
  forgetJobs: { message: { before: number }; reply: null };

  /** Move due tasks into the window: at most `places`, for it is the agent's turn to have so many. */
  admit: { message: { places: number }; reply: null };
  /** Give up running attempts from which nothing was heard. */
  expireLeases: { message: object; reply: null };
  taskStarted: { message: { event: Extract<TaskEvent, { kind: 'started' }> }; reply: null };
  taskSucceeded: { message: { event: SucceededEvent }; reply: null };
  taskFailed: { message: { event: Extract<TaskEvent, { kind: 'failed' | 'dead' }> }; reply: null };
}

export type MessageKind = keyof AgentProtocol;
export type MessageOf<K extends MessageKind> = { kind: K } & AgentProtocol[K]['message'];
export type ReplyOf<K extends MessageKind> = AgentProtocol[K]['reply'];
/** Any of them. */
export type Message = { [K in MessageKind]: MessageOf<K> }[MessageKind];
