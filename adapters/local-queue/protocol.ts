import type { TaskEvent, TaskMessage } from '../../core/tasks/wire.js';

/**
 * Messages between the API and its worker host over IPC. Versioned, because the files on disk may be newer than the API
 * that starts a host from them: a host with another version is refused.
 */
export const PROTOCOL_VERSION = 1;

/** `id` names one delivery of a task, or one event, on this channel. */
export type ToWorker =
  | { t: 'task'; id: number; message: TaskMessage }
  | { t: 'received'; id: number }
  | { t: 'ping' }
  /** Finish running tasks, then exit. */
  | { t: 'stop' };

export type ToApi =
  | { t: 'ready'; slots: number }
  /** The handler was unsubscribed; running tasks continue. */
  | { t: 'paused' }
  /** The handler is starting: counts the delivery. */
  | { t: 'began'; id: number }
  | { t: 'done'; id: number }
  | { t: 'rejected'; id: number; reason: string }
  /** The task was not and will not be started. */
  | { t: 'returned'; id: number }
  | { t: 'event'; id: number; event: TaskEvent }
  | { t: 'pong' }
  /** The worker host alone received a stop signal. */
  | { t: 'stop-asked' };

export type Framed<F> = F & { cadreQueue: number };

export const framed = <F extends ToWorker | ToApi>(frame: F): Framed<F> => ({
  cadreQueue: PROTOCOL_VERSION,
  ...frame,
});

/** Ignores other messages on the same channel. */
export const isFramed = (raw: unknown): raw is Framed<{ t: string }> =>
  typeof raw === 'object' &&
  raw !== null &&
  'cadreQueue' in raw &&
  typeof raw.cadreQueue === 'number' &&
  't' in raw &&
  typeof raw.t === 'string';
