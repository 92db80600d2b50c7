import type { Log } from '../ports/log.port.js';
import type { TaskEvent } from '../tasks/wire.js';

/** Hands events to the handler: those of one task one at a time and in order, different tasks side by side. */
export interface EventDelivery {
  /** Resolves when the handler has taken the event, after as many tries as it needs; rejects when delivery has ended first. */
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
  /** Handlers that may run at the same time. */
  inFlight?: number;
  /** Pause before the second try, in milliseconds; doubles up to `maxPauseMs`. */
  pauseMs?: number;
  maxPauseMs?: number;
}

const ended = () => new Error('the queue takes no more events: delivery has ended');

export const createEventDelivery = (options: EventDeliveryOptions): EventDelivery => {
  const { handler, log, inFlight = 64, pauseMs = 100, maxPauseMs = 10_000 } = options;
  const lanes = new Map<string, Waiting[]>();
  const ready: string[] = [];
  const pauses = new Set<NodeJS.Timeout>();
  const running = new Set<string>();
  let over = false;
  let lastOneOut: () => void = () => undefined;
  let ending: Promise<void> | null = null;

  const pump = (): void => {
    while (!over && running.size < inFlight) {
      const taskId = ready.shift();
      if (taskId === undefined) return;
      void tryHead(taskId);
    }
  };

  const pauseBefore = (taskId: string, failures: number): void => {
    const pause = Math.min(maxPauseMs, pauseMs * 2 ** (failures - 1)) * (0.75 + Math.random() / 2);
    const timer = setTimeout(() => {
      pauses.delete(timer);
      ready.push(taskId);
      pump();
    }, pause);
    pauses.add(timer);
  };

  const leave = (taskId: string, lane: Waiting[]): void => {
    lane.shift();
    if (lane.length === 0) lanes.delete(taskId);
    else ready.push(taskId);
  };

  const tryHead = async (taskId: string): Promise<void> => {
    const lane = lanes.get(taskId) ?? [];
    const head = lane[0];
    if (head === undefined) return;
    running.add(taskId);
    try {
      await handler(head.event);
      leave(taskId, lane);
      head.resolve();
    } catch (error) {
      head.failures += 1;
      const { kind, attempt } = head.event;
      log.warn(
        { err: error, taskId, attempt, kind, failures: head.failures },
        'event handler failed, trying again',
      );
      if (over) head.reject(ended());
      else pauseBefore(taskId, head.failures);
    } finally {
      running.delete(taskId);
      if (running.size === 0) lastOneOut();
      pump();
    }
  };

  return {
    deliver: (event) =>
      new Promise((resolve, reject) => {
        if (over) return reject(ended());
        const waiting: Waiting = { event, failures: 0, resolve, reject };
        const lane = lanes.get(event.taskId);
        if (lane !== undefined) {
          lane.push(waiting);
          return;
        }
        lanes.set(event.taskId, [waiting]);
        ready.push(event.taskId);
        pump();
      }),

    end: () => {
      ending ??= new Promise((resolve) => {
        over = true;
        for (const timer of pauses) clearTimeout(timer);
        for (const [taskId, lane] of lanes) {
          for (const waiting of lane.slice(running.has(taskId) ? 1 : 0)) waiting.reject(ended());
        }
        lastOneOut = resolve;
        if (running.size === 0) resolve();
      });
      return ending;
    },
  };
};
