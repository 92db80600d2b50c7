import type { TaskEvent, TaskMessage } from '../../core/tasks/wire.js';

/**
 * Version of the messages between the API and its worker host over IPC. The files on disk may be newer than the
 * running API that starts a host from them. A host with another version is killed.
 */
export const PROTOCOL_VERSION = 1;

/** `id` identifies a delivery of a task, or an event, on this channel. */
export type ToWorker =
  | { t: 'task'; id: number; message: TaskMessage }
  | { t: 'received'; id: number }
  | { t: 'ping' }
  /** Asks the host to finish running tasks, then exit. */
  | { t: 'stop' };

export type ToApi =
  | { t: 'ready'; slots: number }
  /** The handler has been unsubscribed; running tasks continue. */
  | { t: 'paused' }
  /** The handler is starting, so the delivery counts. */
  | { t: 'began'; id: number }
  | { t: 'done'; id: number }
  | { t: 'rejected'; id: number; reason: string }
  /** The task has not been started and will not be. */
  | { t: 'returned'; id: number }
  | { t: 'event'; id: number; event: TaskEvent }
  | { t: 'pong' }
  /** The worker host received a stop signal. */
  | { t: 'stop-asked' };

export type Framed<F> = F & { cadreQueue: number };

export const framed = <F extends ToWorker | ToApi>(frame: F): Framed<F> => ({
  cadreQueue: PROTOCOL_VERSION,
  ...frame,
});

/** Returns whether a message belongs to this protocol. Others may use the same channel. */
export const isFramed = (raw: unknown): raw is Framed<{ t: string }> =>
  typeof raw === 'object' &&
  raw !== null &&
  'cadreQueue' in raw &&
  typeof raw.cadreQueue === 'number' &&
  't' in raw &&
  typeof raw.t === 'string';
