import type { Log } from '../ports/log.port.js';
import { createFairLine } from '../tasks/fair-line.js';
import { idsOfEvent } from '../tasks/task-ids.js';
import type { TaskEvent } from '../tasks/wire.js';

/**
 * Hands events to the handler by turns of their agents, side by side: those of one agent, in the order in
 * which they came, meet in its mailbox, and share a turn. One that fails is handed over again later, behind
 * others; an event knows its attempt, so that no order is needed.
 */
export interface EventDelivery {
  /**
   * Resolves when the handler has taken the event, after as many tries as it needs. Rejects when delivery has
   * ended first.
   */
  deliver(event: TaskEvent): Promise<void>;
  /** Starts no more handlers; what waits is rejected at once. Resolves when no handler runs any more. */
  end(): Promise<void>;
}

interface Waiting {
  event: TaskEvent;
  failures: number;
  resolve: () => void;
  reject: (error: Error) => void;
}

export interface EventDeliveryOptions {
  handler: (event: TaskEvent) => Promise<void>;
  log: Log;
  /** Maximum number of handlers that run at the same time. */
  inFlight?: number;
  /** Pause before the second try, in milliseconds; doubles up to `maxPauseMs`. */
  pauseMs?: number;
  maxPauseMs?: number;
}

const ended = () => new Error('the queue takes no more events: delivery has ended');

export const createEventDelivery = (options: EventDeliveryOptions): EventDelivery => {
  const { handler, log, inFlight = 512, pauseMs = 100, maxPauseMs = 10_000 } = options;
  const ready = createFairLine<Waiting>();
  const pauses = new Map<NodeJS.Timeout, Waiting>();
  let running = 0;
  let over = false;
  let lastOneOut: () => void = () => undefined;
  let ending: Promise<void> | null = null;

  /** An event does not say whose its agent is. */
  const line = (waiting: Waiting): void => {
    const { agentId } = waiting.event;
    ready.add(waiting, { workspaceId: agentId, agentId });
    pump();
  };

  const pump = (): void => {
    while (!over && running < inFlight) {
      const next = ready.take();
      if (next === undefined) return;
      void hand(next);
    }
  };

  const pauseBefore = (waiting: Waiting): void => {
    const pause = Math.min(maxPauseMs, pauseMs * 2 ** (waiting.failures - 1)) * (0.75 + Math.random() / 2);
    const timer = setTimeout(() => {
      pauses.delete(timer);
      line(waiting);
    }, pause);
    pauses.set(timer, waiting);
  };

  const hand = async (waiting: Waiting): Promise<void> => {
    running += 1;
    try {
      await handler(waiting.event);
      waiting.resolve();
    } catch (error) {
      waiting.failures += 1;
      const { kind } = waiting.event;
      log.warn(
        { ...idsOfEvent(waiting.event), err: error, kind, failures: waiting.failures },
        'event handler failed, trying again',
      );
      if (over) waiting.reject(ended());
      else pauseBefore(waiting);
    } finally {
      running -= 1;
      if (running === 0) lastOneOut();
      pump();
    }
  };

  return {
    deliver: (event) =>
      new Promise((resolve, reject) => {
        if (over) return reject(ended());
        line({ event, failures: 0, resolve, reject });
      }),

    end: () => {
      ending ??= new Promise((resolve) => {
        over = true;
        for (const timer of pauses.keys()) clearTimeout(timer);
        for (const waiting of pauses.values()) waiting.reject(ended());
        for (let next = ready.take(); next; next = ready.take()) next.reject(ended());
        lastOneOut = resolve;
        if (running === 0) resolve();
      });
      return ending;
    },
  };
};
