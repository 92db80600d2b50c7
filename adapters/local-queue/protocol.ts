import type { TaskEvent, TaskMessage } from '../../core/tasks/wire.js';

/**
 * What the API and its worker host say to each other over the IPC channel. Numbered, because the files on
 * disk may be newer than the API that starts a host from them: a host with another number is refused.
 */
export const PROTOCOL_VERSION = 1;

/** `id` names one delivery of a task, or one event, on this channel. */
export type ToWorker =
  | { t: 'task'; id: number; message: TaskMessage }
  | { t: 'received'; id: number }
  | { t: 'ping' }
  /** Finish what runs, then exit. */
  | { t: 'stop' };

export type ToApi =
  | { t: 'ready'; slots: number }
  /** No handler listens any more; what runs goes on. */
  | { t: 'paused' }
  /** The handler is about to run: from here on the delivery counts. */
  | { t: 'began'; id: number }
  | { t: 'done'; id: number }
  | { t: 'rejected'; id: number; reason: string }
  /** Not begun, and not going to be. */
  | { t: 'returned'; id: number }
  | { t: 'event'; id: number; event: TaskEvent }
  | { t: 'pong' }
  /** Somebody sent a stop signal to the worker host only. */
  | { t: 'stop-asked' };

export type Framed<F> = F & { cadreQueue: number };

export const framed = <F extends ToWorker | ToApi>(frame: F): Framed<F> => ({
  cadreQueue: PROTOCOL_VERSION,
  ...frame,
});

/** Other things may travel on the same channel: they are none of ours. */
export const isFramed = (raw: unknown): raw is Framed<{ t: string }> =>
  typeof raw === 'object' &&
  raw !== null &&
  'cadreQueue' in raw &&
  typeof raw.cadreQueue === 'number' &&
  't' in raw &&
  typeof raw.t === 'string';
