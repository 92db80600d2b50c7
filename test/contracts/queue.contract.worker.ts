import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { silentLog } from '../../core/ports/log.port.js';
import type { PluginContext, QueuePlugin, Started } from '../../core/ports/plugin.port.js';
import type { Queue } from '../../core/ports/queue.port.js';
import { byTaskType } from '../../core/tasks/task-types.js';
import { type TaskMessage, WIRE_VERSION } from '../../core/tasks/wire.js';

/**
 * Instructions for a worker process of the contract: start the plugin in the role `worker`, then call
 * `serveInstructions`.
 */
export interface WorkerSpec {
  slots: number;
  maxDeliveries: number;
}

/** Context of the plugin in the contract. */
export const queueContext = <Options>(
  options: Options,
  role: 'api' | 'worker',
  deliveries: number,
): PluginContext<Options> => ({
  options,
  log: silentLog,
  role,
  dataDir: tmpdir(),
  maxUploadBytes: 1024,
  maxDeliveries: deliveries,
  secret: new Uint8Array(role === 'api' ? 32 : 0),
  processName: `${role}-${process.pid}`,
  now: () => Date.now(),
});

/*
 * The worker's half of the contract: a task's URL or file name says what its handler does.
 *   succeed     emits started and succeeded
 *   wait MS     emits started, waits, emits succeeded
 *   big         emits started, and succeeded with `bigText`
 *   hold FILE   emits started, waits until FILE is there, emits succeeded
 *   reject      emits started, rejects
 *   die         emits started, ends the process with SIGKILL
 *   resubscribe emits started; unsubscribes while it runs, subscribes again, and then reports what it received
 */

/**
 * Starts the plugin like a worker and follows the instructions in its tasks. For the script that `launchWorker`
 * runs.
 */
export async function serveInstructions<Options>(
  plugin: QueuePlugin<Options>,
  options: Options,
  spec: WorkerSpec,
): Promise<Started<Queue>> {
  const started = await plugin.start(queueContext(options, 'worker', spec.maxDeliveries));
  const { port } = started;
  let running = 0;
  const runningOf = byTaskType(() => 0);
  const peakOf = byTaskType(() => 0);

  const identity = ({ taskId, jobId, agentId, attempt }: TaskMessage) => ({
    v: WIRE_VERSION,
    taskId,
    jobId,
    agentId,
    attempt,
    worker: String(process.pid),
  });
  const succeed = (message: TaskMessage, metadata: Record<string, number | boolean | string>) =>
    port.emit({ ...identity(message), kind: 'succeeded', outcome: { kind: 'unchanged', metadata } });

  const emitBig = (message: TaskMessage) => {
    const extraction = { title: null, text: bigText, chunks: [], metadata: {} };
    const outcome = { kind: 'extracted', contentHash: 'h', extraction } as const;
    return port.emit({ ...identity(message), kind: 'succeeded', outcome });
  };

  const perform = async (message: TaskMessage): Promise<void> => {
    const { url, fileName = '' } = message.payload as { url?: string; fileName?: string };
    const [verb = '', argument = ''] = (url ?? fileName).split(' ');
    await port.emit({ ...identity(message), kind: 'started' });
    if (verb === 'reject') throw new Error('told to reject');
    if (verb === 'die') process.kill(process.pid, 'SIGKILL');
    if (verb === 'resubscribe') return resubscribe(message);
    if (verb === 'big') return emitBig(message);
    if (verb === 'wait') await pause(Number(argument));
    while (verb === 'hold' && !existsSync(argument)) await pause(10);
    await succeed(message, { peak: peakOf[message.type], requestId: message.requestId ?? '' });
  };

  const resubscribe = async (message: TaskMessage): Promise<void> => {
    let resolved = false;
    let early = false;
    const unsubscribed = unsubscribe().then(() => {
      resolved = true;
      return { early, runningThen: running };
    });
    await pause(50);
    early = resolved;
    unsubscribed
      .then(async (seen) => {
        unsubscribe = await port.onTask(spec.slots, handler);
        await succeed(message, seen);
      })
      .catch((error) => console.error(error));
  };

  const handler = async (message: TaskMessage): Promise<void> => {
    const { type } = message;
    running += 1;
    runningOf[type] += 1;
    peakOf[type] = Math.max(peakOf[type], runningOf[type]);
    try {
      await perform(message);
    } finally {
      running -= 1;
      runningOf[type] -= 1;
    }
  };
  let unsubscribe = await port.onTask(spec.slots, handler);
  return started;
}

/** Larger than a frame of any transport, with characters of one to four bytes. */
export const bigText = 'aé漢🙂 '.repeat(40_000);
