import { within } from '../../core/fairness/time-limit.js';
import type { PluginContext, Started } from '../../core/ports/plugin.port.js';
import type { Queue } from '../../core/ports/queue.port.js';
import { idsOfEvent } from '../../core/tasks/task-ids.js';
import { createDeliveries } from './deliveries.js';
import { createEventInbox } from './event-inbox.js';
import { createWorkerHost } from './worker-host.js';

export interface LocalQueueOptions {
  /** Maximum number of queued and running tasks. Further tasks are rejected. */
  capacity: number;
}

const wrongSide = (call: string) =>
  Promise.reject(new Error(`${call} belongs to the worker side of the queue`));
const stopped = () => Promise.reject(new Error('the local queue is stopped'));

/** Starts the API's side, which queues tasks in memory and sends them to the only worker host over IPC. */
export const startApiSide = (context: PluginContext<LocalQueueOptions>): Started<Queue> => {
  const { log } = context;
  const inbox = createEventInbox(log);
  const deliveries = createDeliveries({
    capacity: context.options.capacity,
    maxDeliveries: context.maxDeliveries,
    onDead: (event) => {
      const ids = idsOfEvent(event);
      log.warn({ ...ids, event }, 'an attempt became a dead letter');
      inbox
        .accept(event)
        .catch((error) => log.error({ ...ids, err: error }, 'could not handle a dead letter'));
    },
  });
  const host = createWorkerHost({ deliveries, log, onEvent: inbox.accept });
  let over = false;
  let stopping: Promise<void> | null = null;

  const stop = async (deadlineMs: number): Promise<void> => {
    const deadline = Date.now() + deadlineMs;
    const left = () => Math.max(0, deadline - Date.now());
    await host.stop(deadlineMs);
    const handled = await within(left(), inbox.drained());
    if (!handled) log.warn({}, 'the queue stopped before all events were handled');
    over = true;
    await within(left(), inbox.end());
  };

  const port: Queue = {
    capabilities: { durable: false, remoteWorkers: false },
    publish: async (messages) => {
      if (over) return stopped();
      const taken = messages.map((message) => stopping === null && deliveries.add(message));
      host.wake();
      return taken;
    },
    onEvent: async (handler) => (over ? stopped() : inbox.subscribe(handler)),
    onTask: () => wrongSide('onTask'),
    emit: () => wrongSide('emit'),
    startWorkers: host.startWith,
    depth: async () =>
      over ? stopped() : { waiting: deliveries.waiting, consumers: host.listens() ? 1 : 0 },
    health: async () => (over ? stopped() : host.health()),
  };

  return {
    port,
    stop: ({ deadlineMs }) => {
      stopping ??= stop(deadlineMs);
      return stopping;
    },
  };
};
