import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { QueuePlugin } from '../../core/ports/plugin.port.js';
import type { Queue } from '../../core/ports/queue.port.js';
import { type TaskEvent, type TaskMessage, WIRE_VERSION } from '../../core/tasks/wire.js';
import { queueContext, type WorkerSpec } from './queue.contract.worker.js';

export interface QueueUnderTest<Options> {
  plugin: QueuePlugin<Options>;
  options: Options;
  /**
   * Starts one worker process. It must be a separate process, because the contract kills it. The contract keeps one
   * running, unless the queue starts its workers itself.
   */
  launchWorker(spec: WorkerSpec): ChildProcess;
  /** Sends invalid bytes to the task queue. Omitted by queues that accept no foreign messages. */
  sendGarbage?(): Promise<void>;
  /** Removes what this queue left behind. */
  close(): Promise<void>;
}

/** Called once per test, so that tests do not share queues. */
export type MakeQueue<Options> = () => Promise<QueueUnderTest<Options>>;

const DEADLINE_MS = 60_000;
export const maxDeliveries = 3;

let lastJob = 0;

/** A page task with a new id. */
export function pageTask(instruction: string, agentId = 'agent-1'): TaskMessage {
  lastJob += 1;
  return {
    v: WIRE_VERSION,
    taskId: randomUUID(),
    jobId: lastJob,
    agentId,
    attempt: 1,
    type: 'crawl_page',
    payload: { url: instruction },
    requestId: `request-${lastJob}`,
  };
}

/** A file task with a new id. */
export function fileTask(instruction: string, agentId = 'agent-1'): TaskMessage {
  const { v, taskId, jobId, attempt, requestId } = pageTask(instruction, agentId);
  const payload = { storagePath: 'a/b', fileName: instruction, bytes: 1, etag: '"1"' };
  return { v, taskId, jobId, agentId, attempt, type: 'parse_file', payload, requestId };
}

/** Polls until `look` returns a value; fails after a minute. */
export async function eventually<T>(
  what: string,
  look: () => Promise<T | undefined | false | null> | T | undefined | false | null,
): Promise<T> {
  const deadline = Date.now() + DEADLINE_MS;
  while (Date.now() < deadline) {
    const found = await look();
    if (found) return found;
    await pause(10);
  }
  throw new assert.AssertionError({ message: `did not happen in ${DEADLINE_MS} ms: ${what}` });
}

/** A running queue as seen by the tests. */
export interface Subject {
  api: Queue;
  stopApi(deadlineMs?: number): Promise<void>;
  /** All events received so far. */
  events: TaskEvent[];
  of(task: TaskMessage, kind: TaskEvent['kind']): TaskEvent[];
  arrives(task: TaskMessage, kind: TaskEvent['kind'], times?: number): Promise<TaskEvent>;
  publish(...tasks: TaskMessage[]): Promise<void>;
  serve(slots: number): void;
  sendGarbage?: () => Promise<void>;
  /** A file that does not exist yet, to hold tasks with. */
  gate: string;
  openGate(): Promise<void>;
}

export const killWorkerOf = (event: TaskEvent): void => void process.kill(Number(event.worker), 'SIGKILL');

export const metadataOf = (event: TaskEvent): Record<string, unknown> => {
  assert.ok(event.kind === 'succeeded' && event.outcome.kind === 'unchanged');
  return event.outcome.metadata;
};

/** Starts the queue under test for one test, and removes it afterwards. */
export async function withSubject<Options>(
  make: MakeQueue<Options>,
  body: (subject: Subject) => Promise<void>,
  listen: boolean,
): Promise<void> {
  const made = await make();
  const { plugin, options, sendGarbage } = made;
  const folder = await mkdtemp(join(tmpdir(), 'queue-contract-'));
  const gate = join(folder, 'gate');
  const api = await plugin.start(queueContext(options, 'api', maxDeliveries));
  const events: TaskEvent[] = [];
  const children = new Set<ChildProcess>();
  let over = false;

  const launch = (slots: number): ChildProcess => {
    const child = made.launchWorker({ slots, maxDeliveries });
    children.add(child);
    child.once('exit', () => children.delete(child));
    return child;
  };
  const keepOne = (slots: number): void => {
    launch(slots).once('exit', () => {
      if (!over) keepOne(slots);
    });
  };
  const of: Subject['of'] = (task, kind) =>
    events.filter((event) => event.taskId === task.taskId && event.kind === kind);

  try {
    if (listen) await api.port.onEvent(async (event) => void events.push(event));
    await body({
      api: api.port,
      stopApi: (deadlineMs = 5_000) => api.stop({ deadlineMs }),
      events,
      of,
      arrives: (task, kind, times = 1) =>
        eventually(`event ${kind}, ${times} times`, () => of(task, kind)[times - 1]),
      publish: async (...tasks) => {
        const taken = await api.port.publish(tasks);
        assert.deepEqual(
          taken,
          tasks.map(() => true),
        );
      },
      serve: (slots) => {
        if (api.port.startWorkers === undefined) keepOne(slots);
        else
          api.port.startWorkers({ launch: () => launch(slots), idleExitMs: 30_000, onStopAsked: () => {} });
      },
      gate,
      openGate: () => writeFile(gate, ''),
      ...(sendGarbage === undefined ? {} : { sendGarbage }),
    });
  } finally {
    over = true;
    await writeFile(gate, '');
    await api.stop({ deadlineMs: 2_000 });
    for (const child of children) child.kill('SIGKILL');
    await eventually('all workers gone', () => children.size === 0);
    await made.close();
    await rm(folder, { recursive: true, force: true });
  }
}
