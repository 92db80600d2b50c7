import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Queue, Worker } from 'bullmq';

/*
 * kill -9 of a worker in the middle of its jobs: milliseconds until BullMQ runs them again in another process. One job in each of
 * many queues, whose checks for stalled jobs are spread over the interval, so that the moment of death is a fair one.
 */

interface Setting {
  name: string;
  lockDuration: number;
  stalledInterval: number;
}

const settings: Setting[] = [
  { name: 'as it comes', lockDuration: 30_000, stalledInterval: 30_000 },
  { name: 'tuned', lockDuration: 2000, stalledInterval: 1000 },
];
const QUEUES = 20;
const connection = { host: '127.0.0.1', port: 6379, maxRetriesPerRequest: null };
const DEADLINE_MS = 180_000;

type Said = { kind: 'ready' } | { kind: 'active'; queue: string; at: number };

const queueNames = (run: string): string[] => Array.from({ length: QUEUES }, (_, n) => `${run}-${n}`);

/** In the child: one worker for each queue, whose jobs never end. */
async function work(run: string, { lockDuration, stalledInterval }: Setting): Promise<void> {
  const say = (said: Said): void => void process.send?.(said);
  for (const queue of queueNames(run)) {
    const worker = new Worker(
      queue,
      async () => {
        say({ kind: 'active', queue, at: Date.now() });
        await new Promise(() => {});
      },
      { connection, prefix: 'cadre-rival', lockDuration, stalledInterval },
    );
    worker.on('error', (error) => console.error(error.message));
    await worker.waitUntilReady();
    await sleep(stalledInterval / QUEUES);
  }
  say({ kind: 'ready' });
}

function launch(
  run: string,
  setting: Setting,
): { child: ChildProcess; active: Map<string, number>; ready: Promise<void> } {
  const child = fork(fileURLToPath(import.meta.url), [run, JSON.stringify(setting)], {
    execArgv: ['--import=tsx'],
  });
  const active = new Map<string, number>();
  const ready = new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`a worker ended with ${code}`)));
    child.on('message', (said: Said) => {
      if (said.kind === 'ready') resolve();
      else if (!active.has(said.queue)) active.set(said.queue, said.at);
    });
  });
  return { child, active, ready };
}

async function all(active: Map<string, number>): Promise<void> {
  const end = Date.now() + DEADLINE_MS;
  while (active.size < QUEUES) {
    if (Date.now() > end) throw new Error(`only ${active.size} of ${QUEUES} jobs run`);
    await sleep(20);
  }
}

async function recoveryTimes(setting: Setting): Promise<number[]> {
  const run = `${setting.name.replaceAll(' ', '-')}-${process.pid}`;
  const queues = queueNames(run).map((name) => new Queue(name, { connection, prefix: 'cadre-rival' }));
  const victim = launch(run, setting);
  await victim.ready;
  for (const queue of queues) await queue.add('page', {});
  await all(victim.active);
  const survivor = launch(run, setting);
  await survivor.ready;
  victim.child.removeAllListeners('exit');
  const exited = once(victim.child, 'exit');
  const struckAt = Date.now();
  victim.child.kill('SIGKILL');
  await exited;
  await all(survivor.active);
  survivor.child.removeAllListeners('exit');
  survivor.child.kill('SIGKILL');
  for (const queue of queues) {
    await queue.obliterate({ force: true });
    await queue.close();
  }
  return [...survivor.active.values()].map((at) => at - struckAt);
}

const percentiles = (times: number[]) => {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
  return { n: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
};

const [run, given] = process.argv.slice(2);
if (run !== undefined && given !== undefined) await work(run, JSON.parse(given) as Setting);
else {
  console.log('\nBullMQ: milliseconds until the job of a killed worker runs again');
  const found: Record<string, object> = {};
  for (const setting of settings) {
    const { name, ...figures } = setting;
    found[name] = { ...figures, ...percentiles(await recoveryTimes(setting)) };
  }
  console.table(found);
}
