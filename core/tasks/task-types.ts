import { type Static, type TSchema, Type } from '@sinclair/typebox';

/*
 * The types of tasks. Wire format, queues and permits derive from this table. A new type also needs a worker function
 * (`TaskTable` in workers/consume.ts) and a result handler (`taskResults` in core/actors/agent/results.ts). The compiler
 * requires both.
 */

const CrawlPagePayloadSchema = Type.Object({
  /** Normalised URL. */
  url: Type.String(),
  /**
   * Validators of the stored content, with the URL that they came from, let the site answer 304. A text with this hash
   * is not sent back. An API of an earlier version omits it.
   */
  known: Type.Optional(
    Type.Object({
      contentHash: Type.Optional(Type.String()),
      url: Type.Optional(Type.String()),
      etag: Type.Optional(Type.String()),
      lastModified: Type.Optional(Type.String()),
    }),
  ),
});
/** Fetch one page and extract its text. */
export type CrawlPagePayload = Static<typeof CrawlPagePayloadSchema>;

const ParseFilePayloadSchema = Type.Object({
  storagePath: Type.String(),
  fileName: Type.String(),
  bytes: Type.Integer({ minimum: 0 }),
  /** Opaque version from the registration. Another version of the object is rejected. */
  etag: Type.String(),
  /** Read by the API only: return a document with the same text instead of creating one. */
  unique: Type.Optional(Type.Boolean()),
});
/** Read one uploaded file and extract its text. */
export type ParseFilePayload = Static<typeof ParseFilePayloadSchema>;

const ReadSitemapPayloadSchema = Type.Object({
  /** Normalised URL. */
  url: Type.String(),
  /** Maximum number of pages. */
  limit: Type.Integer({ minimum: 1 }),
});
/** Read a sitemap and the ones nested in it. The result is a text with one URL per line. */
export type ReadSitemapPayload = Static<typeof ReadSitemapPayloadSchema>;

const EmbedPayloadSchema = Type.Object({
  /** Vector space of the model. */
  space: Type.String({ minLength: 1, maxLength: 200 }),
  /** Storage object with the texts, in the order of the documents and their chunks. */
  input: Type.String(),
  documents: Type.Array(
    Type.Object({
      documentId: Type.String(),
      version: Type.Integer({ minimum: 0 }),
      chunks: Type.Integer({ minimum: 0 }),
    }),
  ),
});
/** Embed the chunks of some documents. */
export type EmbedPayload = Static<typeof EmbedPayloadSchema>;

const DeliverWebhookPayloadSchema = Type.Object({
  url: Type.String(),
  headers: Type.Record(Type.String(), Type.String()),
  body: Type.String(),
});
/** Send one message to a webhook. It belongs to no job and no agent. */
export type DeliverWebhookPayload = Static<typeof DeliverWebhookPayloadSchema>;

/** Maximum time of a delivery in the queue, in milliseconds. It then counts as lost and is attempted again. */
export const WEBHOOK_IN_QUEUE_MS = 600_000;

interface TaskTypeFacts {
  payload: TSchema;
  /** Suffix of the queue's name. */
  queue: string;
  /** Attempts, as a multiple of `jobs.maxAttempts`. */
  attempts: number;
  /** Timeout of an attempt, as a multiple of `workers.taskTimeoutMs`. */
  timeout: number;
  /** Concurrent tasks of a worker, as a multiple of `workers.slots`. Types do not share slots. */
  slots: number;
  /** Whether the task reads an object of the storage. */
  readsStorage: boolean;
}

export const taskTypes = {
  crawl_page: {
    payload: CrawlPagePayloadSchema,
    queue: 'tasks.crawl_page',
    attempts: 1,
    timeout: 1,
    slots: 1,
    readsStorage: false,
  },
  parse_file: {
    payload: ParseFilePayloadSchema,
    queue: 'tasks.parse_file',
    attempts: 1,
    timeout: 1,
    slots: 1,
    readsStorage: true,
  },
  read_sitemap: {
    payload: ReadSitemapPayloadSchema,
    queue: 'tasks.read_sitemap',
    attempts: 1,
    timeout: 1,
    slots: 1,
    readsStorage: false,
  },
  // No client waits for it, so it may retry through an outage of the model of 30 minutes. Each attempt ends before the
  // broker's delivery acknowledgement timeout (30 minutes).
  embed: {
    payload: EmbedPayloadSchema,
    queue: 'tasks.embed',
    attempts: 10,
    timeout: 4,
    slots: 0.25,
    readsStorage: true,
  },
  deliver_webhook: {
    payload: DeliverWebhookPayloadSchema,
    queue: 'tasks.deliver_webhook',
    attempts: 1,
    timeout: 1,
    slots: 1,
    readsStorage: false,
  },
} as const satisfies Record<string, TaskTypeFacts>;

export type TaskType = keyof typeof taskTypes;

/** Types that belong to jobs. Their results are handled in turns of an agent. */
export type JobTaskType = Exclude<TaskType, 'deliver_webhook'>;

export const taskTypeNames = Object.keys(taskTypes) as readonly TaskType[];

export type TaskPayloads = { [T in TaskType]: Static<(typeof taskTypes)[T]['payload']> };

/** Computes a value for each type. */
export const byTaskType = <V>(value: (type: TaskType) => V): Record<TaskType, V> =>
  Object.fromEntries(taskTypeNames.map((type) => [type, value(type)])) as Record<TaskType, V>;

/** Returns this multiple of a setting, rounded, at least 1. */
export const timesFor = (type: TaskType, fact: 'attempts' | 'timeout' | 'slots', setting: number): number =>
  Math.max(1, Math.round(setting * taskTypes[type][fact]));
