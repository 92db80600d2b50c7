import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../ports/log.port.js';
import { idsOfEvent } from '../tasks/task-ids.js';
import type { TaskEvent } from '../tasks/wire.js';

/**
 * Passes events to the handler in their order, without waiting for earlier ones, and retries failed events. A retry
 * may come after later events, which is safe because each event names its attempt. The queue limits the number of
 * concurrent events.
 */
export interface EventDelivery {
  /** Resolves when the handler has succeeded. Rejects if delivery ends first. */
  deliver(event: TaskEvent): Promise<void>;
  /** Ends delivery: rejects new events and events that wait for a retry. Resolves when no handler is running. */
  end(): Promise<void>;
}

export interface EventDeliveryOptions {
  handler: (event: TaskEvent) => Promise<void>;
  log: Log;
  /** Pause before the first retry, in milliseconds. It doubles with each retry, up to `maxPauseMs`. */
  pauseMs?: number;
  maxPauseMs?: number;
}

export const createEventDelivery = (options: EventDeliveryOptions): EventDelivery => {
  const { handler, log, pauseMs = 100, maxPauseMs = 10_000 } = options;
  const ending = new AbortController();
  const { signal } = ending;
  // Every pause adds a listener.
  setMaxListeners(0, signal);
  const inProgress = new Set<Promise<void>>();

  async function deliver(event: TaskEvent): Promise<void> {
    for (let failures = 1; ; failures += 1) {
      signal.throwIfAborted();
      try {
        return await handler(event);
      } catch (error) {
        const { kind } = event;
        log.warn(
          { ...idsOfEvent(event), err: error, kind, failures },
          'the event handler failed; trying again',
        );
      }
      const pause = Math.min(maxPauseMs, pauseMs * 2 ** (failures - 1));
      await sleep(pause * (0.75 + Math.random() / 2), undefined, { signal });
    }
  }

  return {
    deliver(event) {
      const delivery = deliver(event).finally(() => inProgress.delete(delivery));
      inProgress.add(delivery);
      return delivery;
    },
    async end() {
      ending.abort(new Error('the queue takes no more events: delivery has ended'));
      await Promise.allSettled(inProgress);
    },
  };
};
