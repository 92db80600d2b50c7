import { type Static, type TSchema, Type } from '@sinclair/typebox';

/*
 * The types of tasks, each in one entry. Wire format, queues, lines and slots derive from this table. A new
 * type also needs a function of the worker (`TaskTable` in workers/consume.ts) and a handler of its results
 * (`taskResults` in core/actors/agent/results.ts); the compiler asks for both.
 */

const CrawlPagePayloadSchema = Type.Object({
  /** Normalised URL. */
  url: Type.String(),
  /**
   * Of the content that is stored now. Validators, with the URL that they came from, let the site answer 304;
   * a text with this hash is not sent back. An API of an earlier version leaves it out.
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
  /** Opaque version mark from the registration: the object must still be that one. */
  etag: Type.String(),
  /** For the API alone: a document with the same text is named instead of a new one. */
  unique: Type.Optional(Type.Boolean()),
});
/** Read one uploaded file and extract its text. */
export type ParseFilePayload = Static<typeof ParseFilePayloadSchema>;

const ReadSitemapPayloadSchema = Type.Object({
  /** Normalised URL. */
  url: Type.String(),
  /** Pages that are wanted, at most. */
  limit: Type.Integer({ minimum: 1 }),
});
/** Read a sitemap, with those nested in it: the pages come back as a text, one URL in a line. */
export type ReadSitemapPayload = Static<typeof ReadSitemapPayloadSchema>;

const EmbedPayloadSchema = Type.Object({
  /** Of the model that is to make the vectors. */
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
/** Have the chunks of some documents embedded. */
export type EmbedPayload = Static<typeof EmbedPayloadSchema>;

const DeliverWebhookPayloadSchema = Type.Object({
  url: Type.String(),
  headers: Type.Record(Type.String(), Type.String()),
  body: Type.String(),
});
/** Send one message to a webhook. It belongs to no job and no agent. */
export type DeliverWebhookPayload = Static<typeof DeliverWebhookPayloadSchema>;

/**
 * How long a message to a webhook may wait in the queue, in milliseconds. After that it counts as lost, and
 * another attempt is on its way.
 */
export const WEBHOOK_IN_QUEUE_MS = 600_000;

/** The job of tasks that have none. */
export const NO_JOB = 0;

interface TaskTypeFacts {
  payload: TSchema;
  /** How the name of its queue ends. */
  queue: string;
  /** Attempts, as a multiple of `jobs.maxAttempts`. */
  attempts: number;
  /** Time of an attempt, as a multiple of `workers.taskTimeoutMs`. */
  timeout: number;
  /** Slots of a worker, as a multiple of `workers.slots`. No type takes those of another. */
  slots: number;
  /** Whether it is about an object in the storage. */
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
  // Nobody waits for it, so it outlasts half an hour in which the model is away. Its attempts end before a
  // broker takes them for lost (30 minutes).
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

/** Those of jobs: their results are turns of an agent. */
export type JobTaskType = Exclude<TaskType, 'deliver_webhook'>;

export const taskTypeNames = Object.keys(taskTypes) as readonly TaskType[];

export type TaskPayloads = { [T in TaskType]: Static<(typeof taskTypes)[T]['payload']> };

/** One value for each type. */
export const byTaskType = <V>(value: (type: TaskType) => V): Record<TaskType, V> =>
  Object.fromEntries(taskTypeNames.map((type) => [type, value(type)])) as Record<TaskType, V>;

/** This multiple of a setting, as a whole number that is not less than 1. */
export const timesFor = (type: TaskType, fact: 'attempts' | 'timeout' | 'slots', setting: number): number =>
  Math.max(1, Math.round(setting * taskTypes[type][fact]));
