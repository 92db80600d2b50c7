import { type Static, type TSchema, Type } from '@sinclair/typebox';
import type { JsonObject } from '../schemas/json.js';
import { oneOf } from '../schemas/shapes.js';
import { failureCodes } from './failures.js';
import { type TaskPayloads, type TaskType, taskTypeNames, taskTypes } from './task-types.js';

/*
 * What API and workers send each other, as schemas: they give the types, and the check of what arrives.
 * Versioned: a reader refuses a version that it does not know. A message holds ids and small values only; a
 * big text travels through storage (claim check).
 */
export const WIRE_VERSION = 1;

const orNull = <S extends TSchema>(schema: S) => Type.Union([schema, Type.Null()]);
const count = Type.Integer({ minimum: 0 });
const id = Type.String({ minLength: 1, maxLength: 64 });
const metadata = Type.Unsafe<JsonObject>({ type: 'object' });

/**
 * Names an attempt in messages and events alike: `taskId` + `attempt` identify it everywhere,
 * within its installation.
 */
export const AttemptIdentitySchema = Type.Object({
  taskId: id,
  jobId: count,
  agentId: id,
  attempt: count,
  /** Whose task it is; not named by an API or a worker of an earlier version. */
  installation: Type.Optional(id),
  /** Of the request that made the job, for the logs of every station. */
  requestId: Type.Optional(orNull(Type.String())),
  /** The span that sent this, as in W3C Trace Context. A bad value is no reason to refuse a message. */
  traceparent: Type.Optional(Type.Unknown()),
});
export type AttemptIdentity = Static<typeof AttemptIdentitySchema>;

const taskMessageOf = <T extends TaskType>(type: T) =>
  Type.Object({
    v: Type.Literal(WIRE_VERSION as number),
    ...AttemptIdentitySchema.properties,
    type: Type.Literal(type),
    payload: Type.Unsafe<TaskPayloads[T]>(taskTypes[type].payload),
    /** Whose turn it is when the task waits for something shared. An API of an earlier version leaves it out. */
    workspaceId: Type.Optional(id),
    requestId: orNull(Type.String()),
  });

export const TaskMessageSchema = Type.Union(taskTypeNames.map(taskMessageOf));
/** One attempt of one task, as it goes to a worker. */
export type TaskMessage = { [T in TaskType]: Static<ReturnType<typeof taskMessageOf<T>>> }[TaskType];

const ChunkSchema = Type.Object({
  start: count,
  end: count,
  at: Type.Optional(count),
  size: Type.Optional(count),
  headings: Type.Array(Type.String()),
});
/**
 * A stretch of the stored text, for retrieval. `start` and `end` are UTF-16 code units into the text, end
 * exclusive; `at` and `size` the same in code points, missing from workers of older versions; `headings` are
 * the titles of the headings above, outermost first.
 */
export type Chunk = Static<typeof ChunkSchema>;

/** All of an extraction but its text, which can be megabytes. */
export const ExtractionFrameSchema = Type.Object({
  title: orNull(Type.String()),
  chunks: Type.Array(ChunkSchema),
  /**
   * Body of the document's segment (core/retrieval/index/segment.ts), in base64. Missing from
   * workers of older versions.
   */
  segment: Type.Optional(Type.String()),
  /** Becomes part of `sourceMetadata`: safe to show, a few hundred bytes. */
  metadata,
});
const ExtractionSchema = Type.Object({ ...ExtractionFrameSchema.properties, text: Type.String() });
/** What a worker got out of a page or a file. */
export type Extraction = Static<typeof ExtractionSchema>;

const OutcomeSchema = Type.Union([
  Type.Object({
    kind: Type.Literal('unchanged'),
    metadata,
    /** Of the content that the page still has; not named by a worker of an earlier version. */
    contentHash: Type.Optional(Type.String()),
  }),
  Type.Object({ kind: Type.Literal('extracted'), contentHash: Type.String(), extraction: ExtractionSchema }),
  Type.Object({
    kind: Type.Literal('answered'),
    status: count,
    /** How the body begins. */
    body: Type.String(),
    retryAfterMs: Type.Optional(Type.Number({ minimum: 0 })),
  }),
  Type.Object({ kind: Type.Literal('stored'), contentHash: Type.String(), ref: Type.String() }),
  Type.Object({
    kind: Type.Literal('embedded'),
    dimensions: Type.Integer({ minimum: 0 }),
    ref: Type.String(),
  }),
]);
/**
 * Result of an attempt that worked. `answered` is the response of a webhook, whatever it was. `ref` names a
 * storage object: an extraction that is too big for a message, or vectors (vector-block.ts).
 */
export type Outcome = Static<typeof OutcomeSchema>;

const FailureSchema = Type.Object({
  code: oneOf(failureCodes),
  message: Type.String(),
  verdict: oneOf(['retry', 'give-up']),
  /** Wait at least this long before the next attempt, e.g. from `Retry-After`. Milliseconds. */
  retryAfterMs: Type.Optional(Type.Number({ minimum: 0 })),
});

const eventOf = <K extends string, P extends Record<string, TSchema>>(kind: K, more: P) =>
  Type.Object({
    v: Type.Literal(WIRE_VERSION as number),
    ...AttemptIdentitySchema.properties,
    /** Which worker speaks, and of which page or file, for operators. */
    worker: Type.String(),
    target: Type.Optional(Type.String()),
    kind: Type.Literal(kind),
    ...more,
  });

export const TaskEventSchema = Type.Union([
  eventOf('started', {}),
  eventOf('alive', {}),
  eventOf('succeeded', { outcome: OutcomeSchema }),
  eventOf('failed', { failure: FailureSchema }),
  eventOf('dead', { reason: Type.String() }),
]);
/** What workers (and the dead-letter queue) tell the API about an attempt. */
export type TaskEvent = Static<typeof TaskEventSchema>;
