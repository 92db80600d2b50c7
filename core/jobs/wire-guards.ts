import { type TaskEvent, type TaskMessage, type TaskType, WIRE_VERSION } from './wire.js';

/** What names an attempt in messages and events alike. */
export type AttemptIdentity = Pick<TaskMessage, 'taskId' | 'jobId' | 'agentId' | 'attempt'>;

const taskTypes: Record<TaskType, true> = { crawl_page: true, parse_file: true };
const eventKinds: Record<TaskEvent['kind'], true> = {
  started: true,
  alive: true,
  succeeded: true,
  failed: true,
  dead: true,
};

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0;
const isKnown = (value: unknown, known: object): boolean => isName(value) && Object.hasOwn(known, value);

const namesAttempt = (value: Record<string, unknown>): boolean =>
  isName(value.taskId) && isName(value.agentId) && isCount(value.jobId) && isCount(value.attempt);

/** The attempt that a damaged or foreign-version message still names; null for garbage. */
export const attemptIdentity = (value: unknown): AttemptIdentity | null => {
  if (!isRecord(value) || !namesAttempt(value)) return null;
  const { taskId, jobId, agentId, attempt } = value as AttemptIdentity & Record<string, unknown>;
  return { taskId, jobId, agentId, attempt };
};

/** Shape only: what the payload means is for the worker to judge. */
export const isTaskMessage = (value: unknown): value is TaskMessage =>
  isRecord(value) &&
  value.v === WIRE_VERSION &&
  namesAttempt(value) &&
  isKnown(value.type, taskTypes) &&
  isRecord(value.payload) &&
  (value.requestId === null || typeof value.requestId === 'string');

/** Shape only: the results inbox judges the outcome. */
export const isTaskEvent = (value: unknown): value is TaskEvent => {
  if (
    !isRecord(value) ||
    value.v !== WIRE_VERSION ||
    !namesAttempt(value) ||
    !isKnown(value.kind, eventKinds)
  )
    return false;
  if (value.kind === 'succeeded') return isRecord(value.outcome);
  if (value.kind === 'failed') return isRecord(value.failure);
  return true;
};
