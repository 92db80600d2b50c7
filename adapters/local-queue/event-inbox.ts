import { createSemaphore } from '../../core/fairness/semaphore.js';
import { createEventDelivery, type EventDelivery } from '../../core/jobs/event-delivery.js';
import type { Log } from '../../core/ports/log.port.js';
import type { Unsubscribe } from '../../core/ports/queue.port.js';
import type { TaskEvent } from '../../core/tasks/wire.js';

/** Queues events for the API's handler. */
export interface EventInbox {
  /** Queues an event. Resolves immediately, unless the backlog of the handler is full. */
  accept(event: TaskEvent): Promise<void>;
  /** Sets the handler. Throws if there already is one. */
  subscribe(handler: (event: TaskEvent) => Promise<void>): Unsubscribe;
  /** Resolves when every event has been handled. Resolves immediately if there is no handler. */
  drained(): Promise<void>;
  /** Drops queued events. Resolves when no handler is running. */
  end(): Promise<void>;
}

/** Maximum number of accepted events that are not handled yet. Above it, workers wait for their receipts. */
const MAX_ACCEPTED = 1000;

export const createEventInbox = (log: Log): EventInbox => {
  const permits = createSemaphore(MAX_ACCEPTED);
  const inProgress = new Set<Promise<void>>();
  let delivery: EventDelivery | null = null;
  /** Resolve functions of the events that wait for a handler. */
  let waiting: (() => void)[] = [];
  let isOver = false;

  async function handle(event: TaskEvent): Promise<void> {
    while (!isOver) {
      const mine = delivery;
      try {
        if (mine !== null) return await mine.deliver(event);
        await new Promise<void>((resolve) => waiting.push(resolve));
      } catch (error) {
        // If the handler has been unsubscribed, keep the event for the next handler.
        if (mine === delivery) throw error;
      }
    }
    throw new Error('the local queue is stopped');
  }

  function wake(): void {
    for (const resolve of waiting) resolve();
    waiting = [];
  }

  return {
    async accept(event) {
      const accepted = permits.acquire();
      const handled = accepted
        .then((release) => handle(event).finally(release))
        .catch((error) => log.debug({ err: error }, 'an event was not handled'))
        .finally(() => inProgress.delete(handled));
      inProgress.add(handled);
      await accepted;
    },
    subscribe(handler) {
      if (delivery !== null) throw new Error('events have a handler already: unsubscribe it first');
      const mine = createEventDelivery({ handler, log });
      delivery = mine;
      wake();
      return async () => {
        if (delivery === mine) delivery = null;
        await mine.end();
      };
    },
    async drained() {
      if (delivery !== null) await Promise.allSettled(inProgress);
    },
    async end() {
      isOver = true;
      const last = delivery;
      delivery = null;
      wake();
      await last?.end();
    },
  };
};
