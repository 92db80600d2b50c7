import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/*
 * One measured queue: this process accepts tasks, as an API does, and a child process runs them. The bench controls it
 * over IPC and receives the durations.
 */

const [module, name] = process.argv.slice(2);
const SLOTS = 16;
const { open } = await import(`./${module}.js`);

let done = 0;
let waiter = null;
const runs = new Map();
const arrived = () => {
  done += 1;
  if (waiter && done >= waiter.count) waiter.resolve();
};
const allDone = (count) =>
  new Promise((resolve) => {
    waiter = { count, resolve };
    if (done >= count) resolve();
  });

const queue = await open(name, { onDone: arrived });
const worker = fork(fileURLToPath(new URL('consumer.js', import.meta.url)), [module, name, String(SLOTS)]);
worker.once('exit', (code) => {
  if (code) process.exit(code);
});
worker.on('message', (message) => {
  if (message === 'ready') return;
  for (const id of message.done) arrived(id);
  for (const [id, at] of message.runs) runs.get(id)?.(at);
});
await once(worker, 'message');

let next = 1;
const ids = (count) => Array.from({ length: count }, () => next++);
const now = () => performance.timeOrigin + performance.now();

/** Runs `work` on each item, with limited concurrency. */
async function each(items, concurrency, work) {
  const rest = items.values();
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (const item of rest) await work(item);
    }),
  );
}

const orders = {
  async single({ count, concurrency }) {
    const end = allDone(done + count);
    const start = now();
    await each(ids(count), concurrency, (id) => queue.add(id));
    await end;
    return { seconds: (now() - start) / 1000 };
  },
  async bulk({ count }) {
    const end = allDone(done + count);
    const start = now();
    const all = ids(count);
    for (let at = 0; at < count; at += 500) await queue.addMany(all.slice(at, at + 500));
    await end;
    return { seconds: (now() - start) / 1000 };
  },
  /** Milliseconds from acceptance to start of a task, one at a time. */
  async latency({ count, pauseMs }) {
    const times = [];
    for (const id of ids(count)) {
      const run = new Promise((resolve) => runs.set(id, resolve));
      const end = allDone(done + 1);
      await queue.add(id);
      const accepted = now();
      times.push(Math.max(0, (await run) - accepted));
      await end;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
    return { times };
  },
  async stop() {
    const gone = once(worker, 'exit');
    worker.kill('SIGKILL');
    await gone;
    await queue.close();
    return {};
  },
};

process.on('message', async ({ order, ...details }) => {
  try {
    process.send({ result: await orders[order](details) });
  } catch (error) {
    process.send({ problem: error.message });
  }
  if (order === 'stop') process.exit();
});
process.send('ready');
