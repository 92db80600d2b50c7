import { inTime } from '../core/fairness/time-limit.js';
import type { AttemptEnd, WorkerMetrics } from '../core/observability/worker-metrics.js';
import type { Log } from '../core/ports/log.port.js';
import type { Queue, Unsubscribe } from '../core/ports/queue.port.js';
import type { Storage } from '../core/ports/storage.port.js';
import type { Span, Tracing } from '../core/ports/tracing.port.js';
import { encodeExtraction, resultRef } from '../core/tasks/extraction-object.js';
import { type Failure, failureKinds, TaskFailure } from '../core/tasks/failures.js';
import { idsOfTask, targetOf } from '../core/tasks/task-ids.js';
import { multipleOf, taskTypes } from '../core/tasks/task-types.js';
import {
  type Extraction,
  type Outcome,
  type TaskEvent,
  type TaskMessage,
  type TaskProgress,
  WIRE_VERSION,
} from '../core/tasks/wire.js';
import { traced } from '../core/tracing/trail.js';

/** The function that performs each type of task. Functions throw TaskFailure for expected failures. */
type TaskTable = {
  [T in TaskMessage['type']]: (
    message: Extract<TaskMessage, { type: T }>,
    signal: AbortSignal,
    /** Reports how many parts are done, with the next heartbeat. */
    report: (progress: TaskProgress) => void,
  ) => Promise<Outcome>;
};

type TaskHandler = (message: TaskMessage) => Promise<void>;

export interface ConsumerOptions {
  queue: Queue;
  storage: Storage;
  table: TaskTable;
  /**
   * Maximum tasks of each type in this process, including tasks that wait for a slot, a host or a thread. All of them
   * send heartbeats.
   */
  inHand: number;
  /** Timeout of the work including fetches, in milliseconds, multiplied by the factor of the task type. */
  taskTimeoutMs: number;
  heartbeatMs: number;
  workerName: string;
  metrics?: Pick<WorkerMetrics, 'attemptBegan' | 'attemptEnded'>;
  /** Wraps the handler to filter tasks of other installations. */
  forOwn?: (handler: TaskHandler) => TaskHandler;
  tracing?: Tracing | null;
  log: Log;
}

/**
 * Minimum duration of an attempt that reports its start, in milliseconds. For a shorter attempt, the end implies the
 * start.
 */
const SHORT_MS = 100;
/** Maximum size of a result in a message. A larger result is passed through the storage (claim check). */
const INLINE_BYTES = 32 * 1024;
/**
 * Overall timeout as a multiple of the work timeout. It includes time spent queueing for a thread, host or storage.
 */
const WAITING_FACTOR = 3;
const GRACE_MS = 2000;

/**
 * Runs attempts from the queue. Each attempt reports its result, and its start if it takes longer, before the message
 * is acknowledged. If the result cannot be reported, the attempt is delivered again.
 */
export function startConsumer(options: ConsumerOptions): Promise<Unsubscribe> {
  const {
    queue,
    storage,
    table,
    inHand,
    taskTimeoutMs,
    heartbeatMs,
    workerName,
    metrics,
    forOwn = (handler) => handler,
    tracing = null,
    log,
  } = options;

  async function work(
    message: TaskMessage,
    report: (progress: TaskProgress) => void,
  ): Promise<{ outcome: Outcome; bytes: number }> {
    // Overall timeout including waits. Each step has a shorter timeout.
    const limitMs = multipleOf(taskTypes[message.type].timeout, taskTimeoutMs) * WAITING_FACTOR;
    const run = table[message.type] as TaskTable[TaskMessage['type']];
    const working = run(message as never, AbortSignal.timeout(limitMs), report);
    // Frees the slot even if the work ignores its signal.
    const outcome = await inTime(limitMs + GRACE_MS, working, () => {
      throw new Error(`the attempt has not ended ${GRACE_MS} ms after its timeout of ${limitMs} ms`);
    });
    const bytes = outcome.kind === 'extracted' ? Buffer.byteLength(outcome.extraction.text) : 0;
    return { outcome: await claimCheck(message, outcome), bytes };
  }

  async function claimCheck(message: TaskMessage, outcome: Outcome): Promise<Outcome> {
    if (outcome.kind !== 'extracted' || sizeOf(outcome.extraction) <= INLINE_BYTES) return outcome;
    const ref = resultRef(message.taskId, message.attempt);
    try {
      await storage.put(ref, encodeExtraction(outcome.extraction));
    } catch (cause) {
      throw new TaskFailure('STORAGE_FAILED', { cause });
    }
    return { kind: 'stored', contentHash: outcome.contentHash, ref };
  }

  async function attemptOf(message: TaskMessage, span: Span | null): Promise<void> {
    const { type, taskId, jobId, agentId, attempt, requestId, installation } = message;
    const traceparent = span?.traceparent ?? message.traceparent;
    const base = {
      v: WIRE_VERSION,
      ...{ taskId, jobId, agentId, attempt, requestId, target: targetOf(message) },
      ...(installation === undefined ? {} : { installation }),
      ...(traceparent === undefined ? {} : { traceparent }),
      worker: workerName,
    };
    if (message.v !== WIRE_VERSION) {
      log.error({ v: message.v }, 'the task message has an unknown version: upgrade this worker');
      throw new Error(`unknown wire version ${message.v}`);
    }
    const started = later(SHORT_MS, () => queue.emit({ ...base, kind: 'started' }));
    let beating = false;
    let progress: TaskProgress | undefined;
    const heartbeat = setInterval(() => {
      // While the queue accepts no messages, only one heartbeat waits.
      if (beating) return;
      beating = true;
      queue
        .emit({ ...base, kind: 'alive', ...(progress ? { progress } : {}) })
        .catch((err: unknown) => log.debug({ err }, 'could not send a heartbeat'))
        .finally(() => {
          beating = false;
        });
    }, heartbeatMs);
    metrics?.attemptBegan(type);
    const startedAt = performance.now();
    let end: TaskEvent;
    let ended: Pick<AttemptEnd, 'outcome' | 'bytes'>;
    try {
      const { outcome, bytes } = await work(message, (parts) => {
        progress = parts;
      });
      end = { ...base, kind: 'succeeded', outcome };
      ended = { outcome: outcome.kind === 'unchanged' ? 'unchanged' : 'succeeded', bytes };
      log.info({ ms: Math.round(performance.now() - startedAt) }, 'task done');
    } catch (error) {
      const failure = failureOf(error);
      end = { ...base, kind: 'failed', failure };
      ended = { outcome: failure.code, bytes: 0 };
      const unexpected = failure.code === 'TASK_FAILED';
      log[unexpected ? 'error' : 'info']({ failure, ...(unexpected ? { err: error } : {}) }, 'task failed');
      span?.fail(failure.code);
    } finally {
      clearInterval(heartbeat);
    }
    metrics?.attemptEnded({ type, ...ended, seconds: (performance.now() - startedAt) / 1000 });
    // Send one event at a time, so that the slot takes no other task while the queue accepts no events.
    await started.settled();
    await queue.emit(end);
  }

  const handler: TaskHandler = (message) => {
    const span = tracing?.begin(`attempt ${message.type}`, 'consumer', message.traceparent) ?? null;
    return traced(idsOfTask(message), span, () => attemptOf(message, span));
  };
  return queue.onTask(inHand, forOwn(handler));
}

/**
 * Runs `work` after `ms` milliseconds unless `settled` is called first. `settled` settles like `work` if it has
 * started; otherwise it resolves.
 */
function later(ms: number, work: () => Promise<void>): { settled(): Promise<void> } {
  let working = Promise.resolve();
  const timer = setTimeout(() => {
    working = work();
    // `settled` reports the error.
    working.catch(() => {});
  }, ms);
  return {
    settled() {
      clearTimeout(timer);
      return working;
    },
  };
}

const sizeOf = ({ text, segment = '', visit }: Extraction): number =>
  Buffer.byteLength(text) + segment.length + (visit ? JSON.stringify(visit).length : 0);

function failureOf(error: unknown): Failure {
  if (error instanceof TaskFailure) return error.failure;
  const { sentence, verdict } = failureKinds.TASK_FAILED;
  return { code: 'TASK_FAILED', message: sentence, verdict };
}
