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
 * Messages and objects may be damaged, or come from another version or installation, so they are validated before use.
 */

// Skip the validation of these schemas against the meta-schema, which takes longer than compiling them.
const ajv = new Ajv2020({ strict: true, ownProperties: true, validateSchema: false });

/** Returns a validator that is compiled on first use, because an API reads no tasks and a worker reads no events. */
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

/** Returns the ids of the attempt from a message that may be damaged or of another version; null if it has none. */
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
