import type { Log } from '../ports/log.port.js';
import type { Queue } from '../ports/queue.port.js';
import type { TaskSweeps } from '../ports/store.port.js';
import type { TaskMessage } from './wire.js';

export interface Dispatcher {
  /** Takes the attempts that a turn has admitted and committed. Never throws; what is not confirmed is found by the outbox sweep. */
  dispatch(messages: TaskMessage[]): void;
  /** Resolves when nothing is on its way to the queue. */
  settle(): Promise<void>;
  /** Publishes no more: what is admitted from now on waits in its row for the next process. */
  close(): Promise<void>;
}

/**
 * Committed attempts to the queue. Task rows are the outbox: a row counts as published when the queue has confirmed it, and until then
 * it is published again. So a crash at any point costs at most a duplicate, which task and attempt number make harmless.
 */
export function createDispatcher({
  queue,
  tasks,
  log,
}: {
  queue: Queue;
  tasks: TaskSweeps;
  log: Log;
}): Dispatcher {
  let waiting: TaskMessage[] = [];
  let running: Promise<void> | null = null;
  let closed = false;

  async function publish(messages: TaskMessage[]): Promise<void> {
    try {
      const confirmed = await queue.publish(messages);
      await tasks.markPublished(messages.filter((_, n) => confirmed[n]));
      const refused = confirmed.filter((ok) => !ok).length;
      if (refused > 0) log.warn({ refused }, 'the queue did not take all tasks; they are published again');
    } catch (error) {
      log.warn({ err: error, tasks: messages.length }, 'publishing failed; the tasks are published again');
    }
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await publish(batch);
    }
  }

  return {
    dispatch(messages) {
      if (closed || messages.length === 0) return;
      waiting.push(...messages);
      running ??= drain().finally(() => {
        running = null;
      });
    },
    async settle() {
      await running;
    },
    async close() {
      closed = true;
      await running;
    },
  };
}
