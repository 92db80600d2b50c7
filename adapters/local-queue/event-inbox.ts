import { createEventDelivery, type EventDelivery } from '../../core/jobs/event-delivery.js';
import type { Log } from '../../core/ports/log.port.js';
import type { Unsubscribe } from '../../core/ports/queue.port.js';
import type { TaskEvent } from '../../core/tasks/wire.js';

/** Events for the API's handler. They wait while there is none. */
export interface EventInbox {
  /** Resolves when the event has been handled. */
  accept(event: TaskEvent): Promise<void>;
  /** Sets the handler. There is one at a time. */
  subscribe(handler: (event: TaskEvent) => Promise<void>): Unsubscribe;
  /** Resolves when every event has been handled, or at once without a handler. */
  drained(): Promise<void>;
  /** Rejects events that wait. Resolves when no handler is running. */
  end(): Promise<void>;
}

export const createEventInbox = (log: Log): EventInbox => {
  const inProgress = new Set<Promise<void>>();
  let delivery: EventDelivery | null = null;
  /** Resolves the events that wait for a handler. */
  let waiting: (() => void)[] = [];
  let isOver = false;

  async function handle(event: TaskEvent): Promise<void> {
    while (!isOver) {
      const mine = delivery;
      try {
        if (mine !== null) return await mine.deliver(event);
        await new Promise<void>((resolve) => waiting.push(resolve));
      } catch (error) {
        // Otherwise the handler was unsubscribed, and the event is for the next one.
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
    accept(event) {
      const handled = handle(event).finally(() => inProgress.delete(handled));
      inProgress.add(handled);
      return handled;
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
