import { type Static, type TSchema, Type } from '@sinclair/typebox';
import type { JsonObject } from '../schemas/json.js';
import { oneOf } from '../schemas/shapes.js';
import { failureCodes } from './failures.js';
import { jobTaskTypes, type TaskPayloads, type TaskType, taskTypeNames, taskTypes } from './task-types.js';
import { siteVisitSchema } from './types/read-site-page.js';

/*
 * Messages between API and workers. Types and validators derive from these schemas. A reader rejects unknown
 * versions. A message contains only ids and small values; a large text is passed through the storage (claim check).
 */
export const WIRE_VERSION = 1;

const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const count = Type.Integer({ minimum: 0 });
const id = Type.String({ minLength: 1, maxLength: 64 });
const metadata = Type.Unsafe<JsonObject>({ type: 'object' });

/**
 * Identifies an attempt in messages and events. `taskId` and `attempt` together are unique within the installation.
 */
export const AttemptIdentitySchema = Type.Object({
  taskId: id,
  jobId: count,
  agentId: id,
  attempt: count,
  /** Id of the task's installation. APIs and workers of an earlier version omit it. */
  installation: Type.Optional(id),
  /** Id of the request that created the job, for logs. */
  requestId: Type.Optional(orNull(Type.String())),
  /** Span of the sender, in the format of W3C Trace Context. An invalid value is ignored. */
  traceparent: Type.Optional(Type.Unknown()),
});
export type AttemptIdentity = Static<typeof AttemptIdentitySchema>;

const taskMessageOf = <T extends TaskType>(type: T) =>
  Type.Object({
    v: Type.Literal(WIRE_VERSION as number),
    ...AttemptIdentitySchema.properties,
    jobId: Type.Integer({ minimum: type in jobTaskTypes ? 1 : 0 }),
    type: Type.Literal(type),
    payload: Type.Unsafe<TaskPayloads[T]>(taskTypes[type].payload),
    /** Workspace, for fair queueing of shared resources. APIs of an earlier version omit it. */
    workspaceId: Type.Optional(id),
    requestId: orNull(Type.String()),
  });

export const TaskMessageSchema = Type.Union(taskTypeNames.map(taskMessageOf));
/** One attempt, sent to a worker: at a task of a job, or at a webhook delivery (see `DeliveryMessage`). */
export type TaskMessage = { [T in TaskType]: Static<ReturnType<typeof taskMessageOf<T>>> }[TaskType];

const ChunkSchema = Type.Object({
  start: count,
  end: count,
  at: Type.Optional(count),
  size: Type.Optional(count),
  headings: Type.Array(Type.String()),
});
/**
 * A range of the stored text, for retrieval. `start` and `end` are UTF-16 offsets, end exclusive. `at` and `size` are
 * the same range in code points; workers of earlier versions omit them. `headings` are the headings above, outermost
 * first. If a table or list continues from an earlier chunk, the last heading is its header or introduction.
 */
export type Chunk = Static<typeof ChunkSchema>;

/** An extraction without its text, which may be megabytes. */
export const ExtractionFrameSchema = Type.Object({
  title: orNull(Type.String()),
  chunks: Type.Array(ChunkSchema),
  /** Body of the document's index segment, in base64. Workers of earlier versions omit it. */
  segment: Type.Optional(Type.String()),
  /** Becomes a part of `sourceMetadata`: a few hundred bytes, without secrets. */
  metadata,
  /** True if the text replaces the content of a page. Workers of earlier versions omit it. */
  isInterstitial: Type.Optional(Type.Boolean()),
  /** Set for a page of a whole site. */
  visit: Type.Optional(siteVisitSchema),
});
const ExtractionSchema = Type.Object({ ...ExtractionFrameSchema.properties, text: Type.String() });
/** Content that a worker extracted from a page or a file. */
export type Extraction = Static<typeof ExtractionSchema>;

const OutcomeSchema = Type.Union([
  Type.Object({
    kind: Type.Literal('unchanged'),
    metadata,
    /** Hash of the page's content. Workers of an earlier version omit it. */
    contentHash: Type.Optional(Type.String()),
  }),
  Type.Object({ kind: Type.Literal('extracted'), contentHash: Type.String(), extraction: ExtractionSchema }),
  Type.Object({
    kind: Type.Literal('answered'),
    status: count,
    /** Start of the response's body. */
    body: Type.String(),
    retryAfterMs: Type.Optional(Type.Number({ minimum: 0 })),
  }),
  /** A file with pages that may be pictures of text. */
  Type.Object({ kind: Type.Literal('scanned'), pages: Type.Array(Type.Integer({ minimum: 1 })) }),
  Type.Object({ kind: Type.Literal('stored'), contentHash: Type.String(), ref: Type.String() }),
  Type.Object({
    kind: Type.Literal('embedded'),
    dimensions: Type.Integer({ minimum: 0 }),
    ref: Type.String(),
  }),
]);
/**
 * Result of a successful attempt. `answered` is the response of a webhook, with any status. `ref` is the path of a
 * storage object with an extraction that is too large for a message, or with vectors.
 */
export type Outcome = Static<typeof OutcomeSchema>;

const FailureSchema = Type.Object({
  code: oneOf(failureCodes),
  message: Type.String(),
  verdict: oneOf(['retry', 'give-up']),
  /** Minimum delay before the next attempt, for example from `Retry-After`, in milliseconds. */
  retryAfterMs: Type.Optional(Type.Number({ minimum: 0 })),
});

const eventOf = <K extends string, P extends Record<string, TSchema>>(kind: K, more: P) =>
  Type.Object({
    v: Type.Literal(WIRE_VERSION as number),
    ...AttemptIdentitySchema.properties,
    /** Name of the worker, and the page or file, for operators. */
    worker: Type.String(),
    target: Type.Optional(Type.String()),
    kind: Type.Literal(kind),
    ...more,
  });

export const TaskProgressSchema = Type.Object({ done: count, of: count });
/** Parts of a task that are done, and all of them: pages of a scanned file. */
export type TaskProgress = Static<typeof TaskProgressSchema>;

export const TaskEventSchema = Type.Union([
  eventOf('started', {}),
  eventOf('alive', { progress: Type.Optional(TaskProgressSchema) }),
  eventOf('succeeded', { outcome: OutcomeSchema }),
  eventOf('failed', { failure: FailureSchema }),
  eventOf('dead', { reason: Type.String() }),
]);
/** An event of an attempt, sent by a worker or read from the dead-letter queue. */
export type TaskEvent = Static<typeof TaskEventSchema>;
