import { within } from '../../core/fairness/time-limit.js';
import type { PluginContext, Started } from '../../core/ports/plugin.port.js';
import type { Queue } from '../../core/ports/queue.port.js';
import { idsOfTask } from '../../core/tasks/task-ids.js';
import type { TaskEvent, TaskMessage } from '../../core/tasks/wire.js';
import { type Framed, framed, isFramed, PROTOCOL_VERSION, type ToApi, type ToWorker } from './protocol.js';

type TaskHandler = (message: TaskMessage) => Promise<void>;

const wrongSide = (call: string) => Promise.reject(new Error(`${call} belongs to the API side of the queue`));
const stopped = () => Promise.reject(new Error('the local queue is stopped'));

/**
 * Starts the worker host's side. The API owns this process, so it exits with code 0 on the API's request, after
 * running tasks have finished, or immediately if the API is gone, because results could not be delivered. It forwards
 * SIGTERM and SIGINT to the API, which stops the whole service including this process.
 */
export const startWorkerSide = (context: PluginContext<unknown>): Started<Queue> => {
  const { log } = context;
  if (process.send === undefined) {
    throw new Error(
      'the local queue serves only workers that its own API starts: for separate workers, use a queue such as rabbitmq',
    );
  }
  let handler: TaskHandler | null = null;
  let running = 0;
  let lastEventId = 0;
  const receipts = new Map<number, { resolve: () => void; reject: (error: Error) => void }>();
  const whenQuiet: (() => void)[] = [];
  let over = false;

  /** Resolves when the operating system has accepted the frame, which then survives a crash of this process. */
  const send = (frame: ToApi): Promise<void> =>
    new Promise((resolve, reject) => {
      if (process.send === undefined || !process.connected) return reject(new Error('the API is gone'));
      process.send(framed(frame), undefined, undefined, (error) =>
        error === null ? resolve() : reject(error),
      );
    });
  const post = (frame: ToApi): void => {
    send(frame).catch((error) => log.debug({ err: error, frame: frame.t }, 'could not send to the API'));
  };

  const quiet = (): Promise<void> =>
    running === 0 ? Promise.resolve() : new Promise((resolve) => whenQuiet.push(resolve));

  const perform = async (id: number, message: TaskMessage, handle: TaskHandler): Promise<void> => {
    running += 1;
    try {
      await send({ t: 'began', id });
      await handle(message);
      await send({ t: 'done', id });
    } catch (error) {
      log.warn(
        { ...idsOfTask(message), err: error },
        'a task failed in this worker; returning it to the queue',
      );
      post({ t: 'rejected', id, reason: error instanceof Error ? error.message : String(error) });
    } finally {
      running -= 1;
      if (running === 0) for (const resolve of whenQuiet.splice(0)) resolve();
    }
  };

  const leave = async (): Promise<void> => {
    handler = null;
    await quiet();
    await send({ t: 'paused' }).catch(() => undefined);
    process.exit(0);
  };

  const receive = (frame: Framed<ToWorker>): void => {
    switch (frame.t) {
      case 'task':
        if (handler === null) post({ t: 'returned', id: frame.id });
        else void perform(frame.id, frame.message, handler);
        break;
      case 'received':
        receipts.get(frame.id)?.resolve();
        receipts.delete(frame.id);
        break;
      case 'ping':
        post({ t: 'pong' });
        break;
      case 'stop':
        void leave();
        break;
    }
  };

  const onMessage = (raw: unknown): void => {
    if (isFramed(raw) && raw.cadreQueue === PROTOCOL_VERSION) receive(raw as Framed<ToWorker>);
  };
  const onSignal = (): void => post({ t: 'stop-asked' });
  const onDisconnect = (): void => {
    log.warn({}, 'the API is gone; the worker host exits');
    process.exit(0);
  };
  process.on('message', onMessage);
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.once('disconnect', onDisconnect);

  const stop = async (deadlineMs: number): Promise<void> => {
    handler = null;
    post({ t: 'paused' });
    await within(deadlineMs, quiet());
    over = true;
    for (const { reject } of receipts.values()) reject(new Error('the local queue is stopped'));
    receipts.clear();
    process.off('message', onMessage);
    process.off('SIGTERM', onSignal);
    process.off('SIGINT', onSignal);
    process.off('disconnect', onDisconnect);
    if (process.connected) process.disconnect();
  };
  let stopping: Promise<void> | null = null;

  const emit = async (event: TaskEvent): Promise<void> => {
    if (over) return stopped();
    lastEventId += 1;
    const id = lastEventId;
    const receipt = new Promise<void>((resolve, reject) => receipts.set(id, { resolve, reject }));
    try {
      await send({ t: 'event', id, event });
    } catch (error) {
      receipts.delete(id);
      throw error;
    }
    await receipt;
  };

  const port: Queue = {
    capabilities: { durable: false, remoteWorkers: false },
    publish: () => wrongSide('publish'),
    onEvent: () => wrongSide('onEvent'),
    onTask: async (slots, handle) => {
      if (over || stopping !== null) return stopped();
      if (handler !== null) throw new Error('tasks have a handler already: unsubscribe it first');
      handler = handle;
      await send({ t: 'ready', slots });
      return async () => {
        if (handler === handle) {
          handler = null;
          post({ t: 'paused' });
        }
        await quiet();
      };
    },
    emit,
    depth: async () => (over ? stopped() : { waiting: null, consumers: null }),
    health: async () => {
      if (over) return stopped();
      return process.connected
        ? { ok: true }
        : { ok: false, reason: 'the API that started this worker is gone' };
    },
  };

  return {
    port,
    stop: ({ deadlineMs }) => {
      stopping ??= stop(deadlineMs);
      return stopping;
    },
  };
};
