import type { Log } from '../ports/log.port.js';
import type { Queue } from '../ports/queue.port.js';
import type { TaskSweeps } from '../ports/store/sweeps.js';
import type { Span, Tracing } from '../ports/tracing.port.js';
import { idsOfTask } from '../tasks/task-ids.js';
import type { TaskMessage } from '../tasks/wire.js';
import { aside, attributesOf } from '../tracing/trail.js';

export interface Dispatcher {
  /**
   * Publishes the attempts that a turn has admitted and committed. Never throws; the outbox sweep finds
   * what is not confirmed.
   */
  dispatch(messages: TaskMessage[]): void;
  /**
   * Publishes what `find` gives. It is called when nothing is on its way any more, so that it does not take the
   * newest attempts for lost. Resolves to how many attempts the queue has confirmed; rejects when `find` does.
   */
  again(find: () => Promise<TaskMessage[]>): Promise<number>;
  /** Publishes no more: what is admitted from now on waits in its row for the next process. */
  close(): Promise<void>;
}

/**
 * Confirmations are written together, after so long: most attempts have started by then, and need no note. A
 * crash before that costs duplicates. It is well below the age at which the outbox sweep looks for attempts.
 */
const NOTE_MS = 1000;

/**
 * Publishes committed attempts. Task rows are the outbox: until the queue has confirmed a row, it is published again.
 * So a crash at any point costs at most a duplicate, which task and attempt number make harmless.
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
  /** Names the owner of these tasks to others on the same queue. */
  installation: string;
  tracing?: Tracing | null;
  log: Log;
}): Dispatcher {
  let waiting: TaskMessage[] = [];
  let running: Promise<void> | null = null;
  let closed = false;
  let confirmed: TaskMessage[] = [];
  let noting: NodeJS.Timeout | null = null;
  let noted: Promise<void> = Promise.resolve();

  /** From its publishing until the queue has it, as a part of the trace that the job was made in. */
  function spanOf(message: TaskMessage): Span | null {
    const span = tracing?.begin(`publish ${message.type}`, 'producer', message.traceparent) ?? null;
    span?.set(attributesOf(idsOfTask(message)));
    return span;
  }

  async function publish(messages: TaskMessage[]): Promise<number> {
    const spans = messages.map(spanOf);
    try {
      const answers = await queue.publish(
        messages.map((message, n) => {
          const traceparent = spans[n]?.traceparent;
          return { ...message, installation, ...(traceparent === undefined ? {} : { traceparent }) };
        }),
      );
      const taken = messages.filter((_, n) => answers[n]);
      for (const [n, span] of spans.entries()) if (!answers[n]) span?.fail('not taken');
      confirmed.push(...taken);
      noting ??= setTimeout(note, NOTE_MS);
      const refused = messages.length - taken.length;
      if (refused > 0) log.warn({ refused }, 'the queue did not take all tasks; they are published again');
      return taken.length;
    } catch (error) {
      for (const span of spans) span?.fail('not taken');
      log.warn({ err: error, tasks: messages.length }, 'publishing failed; the tasks are published again');
      return 0;
    } finally {
      for (const span of spans) span?.end();
    }
  }

  /** One after the other: a search for unpublished rows must not overtake a note. */
  function note(): Promise<void> {
    noted = noted.then(noteNow);
    return noted;
  }

  async function noteNow(): Promise<void> {
    if (noting !== null) clearTimeout(noting);
    noting = null;
    const batch = confirmed;
    confirmed = [];
    try {
      await tasks.markPublished(batch);
    } catch (error) {
      log.warn({ err: error, tasks: batch.length }, 'not noted as published; the tasks are published again');
    }
  }

  async function drain(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      await publish(batch);
    }
    // With the last look, so that what comes now begins anew.
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
      await note();
      const messages = await find();
      if (messages.length === 0) return 0;
      const taken = await publish(messages);
      await note();
      return taken;
    },
    async close() {
      closed = true;
      await running;
      await note();
    },
  };
}
