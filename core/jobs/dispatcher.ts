import type { Log } from '../ports/log.port.js';
import { logSummary } from '../ports/log-summary.js';
import type { Queue } from '../ports/queue.port.js';
import type { TaskSweeps } from '../ports/store/sweeps.js';
import type { Span, Tracing } from '../ports/tracing.port.js';
import { idsOfTask } from '../tasks/task-ids.js';
import type { TaskMessage } from '../tasks/wire.js';
import { aside, attributesOf } from '../tracing/trail.js';

export interface Dispatcher {
  /**
   * Publishes attempts that a turn has committed. Never throws; the outbox sweep publishes unconfirmed attempts
   * again.
   */
  dispatch(messages: TaskMessage[]): void;
  /**
   * Calls `find` once the queue has confirmed or refused all earlier attempts, so that `find` does not return them
   * again, and publishes the result. Returns the number of confirmed attempts. Rejects if `find` does.
   */
  again(find: () => Promise<TaskMessage[]>): Promise<number>;
  /** Stops publishing. Attempts admitted later are published by another process. */
  close(): Promise<void>;
}

/**
 * Delay before confirmations are written in one batch, in milliseconds. By then most attempts have started and need
 * no update. A crash within this delay causes duplicates. Must be well below `CONFIRM_MS` of the outbox sweep.
 */
const RECORD_DELAY_MS = 1000;

/**
 * Publishes committed attempts. Task rows are the outbox: a row is published again until the queue has confirmed it.
 * A crash causes at most duplicates, which are recognised by task id and attempt number.
 */
export function createDispatcher({
  queue,
  tasks,
  installation,
  tracing = null,
  log,
}: {
  queue: Queue;
  tasks: TaskSweeps;
  /** Id of this installation, sent with each task because two installations may share a queue by mistake. */
  installation: string;
  tracing?: Tracing | null;
  log: Log;
}): Dispatcher {
  let waiting: TaskMessage[] = [];
  let running: Promise<void> | null = null;
  let closed = false;
  let confirmed: TaskMessage[] = [];
  let recordTimer: NodeJS.Timeout | null = null;
  let recorded: Promise<void> = Promise.resolve();

  // Logged in summaries, because every dispatch fails during an outage.
  const refusals = logSummary<number>({
    merge: (sum, next) => sum + next,
    write: (refused) =>
      log.warn({ refused }, 'the queue did not accept all tasks; publishing the others again'),
  });
  const failing = (message: string) =>
    logSummary<{ err: unknown; tasks: number }>({
      merge: (sum, { err, tasks }) => ({ err, tasks: sum.tasks + tasks }),
      write: (failed) => log.warn(failed, message),
    });
  const failures = failing('publishing tasks failed; publishing them again');
  const unrecorded = failing('could not record tasks as published; publishing them again');

  /** Begins a span in the job's trace. It lasts until the queue has confirmed the message. */
  function spanOf(message: TaskMessage): Span | null {
    const span = tracing?.begin(`publish ${message.type}`, 'producer', message.traceparent) ?? null;
    span?.set(attributesOf(idsOfTask(message)));
    return span;
  }

  async function publish(messages: TaskMessage[]): Promise<number> {
    const spans = messages.map(spanOf);
    try {
      const accepted = await queue.publish(
        messages.map((message, n) => {
          const traceparent = spans[n]?.traceparent;
          return { ...message, installation, ...(traceparent === undefined ? {} : { traceparent }) };
        }),
      );
      const taken = messages.filter((_, n) => accepted[n]);
      for (const [n, span] of spans.entries()) if (!accepted[n]) span?.fail('not taken');
      confirmed.push(...taken);
      recordTimer ??= setTimeout(recordPublished, RECORD_DELAY_MS);
      const refused = messages.length - taken.length;
      if (refused > 0) refusals.add(refused);
      return taken.length;
    } catch (error) {
      for (const span of spans) span?.fail('not taken');
      failures.add({ err: error, tasks: messages.length });
      return 0;
    } finally {
      for (const span of spans) span?.end();
    }
  }

  /**
   * Writes the confirmations. Calls run one after the other, so that a search for unpublished rows sees all earlier
   * confirmations.
   */
  function recordPublished(): Promise<void> {
    recorded = recorded.then(recordNow);
    return recorded;
  }

  async function recordNow(): Promise<void> {
    if (recordTimer !== null) clearTimeout(recordTimer);
    recordTimer = null;
    const batch = confirmed;
    confirmed = [];
    try {
      await tasks.markPublished(batch);
    } catch (error) {
      unrecorded.add({ err: error, tasks: batch.length });
    }
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await publish(batch);
    }
    // Set in the same tick as the last check, so that no message is missed.
    running = null;
  }

  return {
    dispatch(messages) {
      if (closed || messages.length === 0) return;
      waiting.push(...messages);
      running ??= aside(drain);
    },
    async again(find) {
      await running;
      if (closed) return 0;
      await recordPublished();
      const messages = await find();
      if (messages.length === 0) return 0;
      const taken = await publish(messages);
      await recordPublished();
      return taken;
    },
    async close() {
      closed = true;
      await running;
      await recordPublished();
      for (const summary of [refusals, failures, unrecorded]) summary.flush();
    },
  };
}
