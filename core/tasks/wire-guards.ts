import type { TSchema } from '@sinclair/typebox';
import { Ajv2020 } from 'ajv/dist/2020.js';
import {
  type AttemptIdentity,
  AttemptIdentitySchema,
  type Extraction,
  ExtractionFrameSchema,
  type TaskEvent,
  TaskEventSchema,
  type TaskMessage,
  TaskMessageSchema,
} from './wire.js';

/*
 * What a queue or a storage hands us may be damaged, of another version, or somebody else's, so it is checked
 * against its schema before it is used.
 */

// To check our own schemas against their meta-schema takes longer than to compile them.
const ajv = new Ajv2020({ strict: true, ownProperties: true, validateSchema: false });

/** Compiled when first used: an API reads no tasks, and a worker no events. */
const guard = <T>(schema: TSchema): ((value: unknown) => value is T) => {
  let validate: ((value: unknown) => value is T) | undefined;
  return (value): value is T => {
    validate ??= ajv.compile<T>(schema);
    return validate(value);
  };
};

export const isTaskMessage = guard<TaskMessage>(TaskMessageSchema);
export const isTaskEvent = guard<TaskEvent>(TaskEventSchema);
export const isExtractionFrame = guard<Omit<Extraction, 'text'>>(ExtractionFrameSchema);

const namesAttempt = guard<AttemptIdentity>(AttemptIdentitySchema);

/** The attempt that a damaged or foreign-version message still names; null for garbage. */
export const attemptIdentity = (value: unknown): AttemptIdentity | null => {
  if (!namesAttempt(value)) return null;
  const { taskId, jobId, agentId, attempt, installation, requestId, traceparent } = value;
  return {
    ...{ taskId, jobId, agentId, attempt },
    ...(installation === undefined ? {} : { installation }),
    ...(requestId === undefined ? {} : { requestId }),
    ...(traceparent === undefined ? {} : { traceparent }),
  };
};
