/** @import { TaskEvent, TaskMessage } from 'cadre/plugin' */

/** Fields of an entry: only `body` is parsed; the others are for inspection in Redis. */

/**
 * @typedef {{ id: string, deliveries: number, fields: Record<string, string> }} Entry
 * @typedef {Pick<TaskMessage, 'v' | 'taskId' | 'jobId' | 'agentId' | 'attempt' | 'installation'>} AttemptIdentity
 */

/** @param {TaskMessage | TaskEvent} message */
const fieldsOf = ({ taskId, attempt, jobId, agentId }) => [
  ...['task', taskId, 'attempt', String(attempt), 'job', String(jobId), 'agent', agentId],
];

/** @param {TaskMessage} task */
export const attemptId = ({ taskId, attempt }) => `${taskId}.${attempt}`;

/**
 * Alternating fields and values.
 * @param {TaskMessage} task
 */
export const encodeTask = (task) => [
  ...['id', attemptId(task), 'type', task.type],
  ...fieldsOf(task),
  ...['request', task.requestId ?? '', 'body', JSON.stringify(task)],
];

/**
 * Alternating fields and values.
 * @param {TaskEvent} event
 */
export const encodeEvent = (event) => [
  ...['kind', event.kind],
  ...fieldsOf(event),
  ...['worker', event.worker, 'body', JSON.stringify(event)],
];

/**
 * @param {Entry} entry
 * @returns {Record<string, unknown> | null} null if it is no object
 */
const bodyOf = ({ fields }) => {
  try {
    const value = JSON.parse(fields.body ?? '');
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
};

const isText = (/** @type {unknown} */ value) => typeof value === 'string' && value !== '';

/**
 * Returns the attempt named by an entry even if the rest is damaged; null for garbage.
 * @param {Entry} entry
 * @returns {AttemptIdentity | null}
 */
export const identityOf = (entry) => {
  const body = bodyOf(entry);
  if (body === null || !isText(body.taskId) || !isText(body.agentId)) return null;
  const { v, taskId, jobId, agentId, attempt, installation } = /** @type {TaskMessage} */ (
    /** @type {unknown} */ (body)
  );
  const named = { v, taskId, jobId, agentId, attempt, ...(isText(installation) ? { installation } : {}) };
  return [v, jobId, attempt].every(Number.isSafeInteger) ? named : null;
};

/**
 * Checks only the shape: the worker checks version and payload.
 * @param {Entry} entry
 * @returns {TaskMessage | null}
 */
export const taskOf = (entry) => {
  const body = bodyOf(entry);
  const isTask = identityOf(entry) !== null && isText(body?.type) && typeof body?.payload === 'object';
  return isTask ? /** @type {TaskMessage} */ (/** @type {unknown} */ (body)) : null;
};

/**
 * @param {Entry} entry
 * @returns {TaskEvent | null}
 */
export const eventOf = (entry) => {
  const body = bodyOf(entry);
  const isEvent = identityOf(entry) !== null && isText(body?.kind);
  return isEvent ? /** @type {TaskEvent} */ (/** @type {unknown} */ (body)) : null;
};
