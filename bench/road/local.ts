import { createEventDelivery, type EventDelivery } from '../../core/jobs/event-delivery.js';
import { silentLog } from '../../core/ports/log.port.js';
import type { Queue } from '../../core/ports/queue.port.js';
import { emitAsWorker } from './idle-work.js';

/** A queue and its worker inside this process: what is measured is the road between them and the store. */
export function localRoad(): { port: Queue; stop(): Promise<void> } {
  let delivery: EventDelivery | null = null;
  const port: Queue = {
    capabilities: { durable: false, remoteWorkers: false },
    publish: async (messages) => {
      for (const message of messages)
        setImmediate(() =>
          emitAsWorker((event) => delivery?.deliver(event) ?? Promise.resolve(), message).catch(() => {}),
        );
      return messages.map(() => true);
    },
    async onEvent(handler) {
      const mine = createEventDelivery({ handler, log: silentLog });
      delivery = mine;
      return () => mine.end();
    },
    onTask: () => Promise.reject(new Error('the worker is inside')),
    emit: () => Promise.reject(new Error('the worker is inside')),
    depth: async () => ({ waiting: null, consumers: null }),
    health: async () => ({ ok: true }),
  };
  return { port, stop: async () => delivery?.end() };
}
