import { Queue, Worker } from 'bullmq';

const connection = () => {
  const { hostname, port } = new URL(process.env.REDIS_URL);
  return { host: hostname, port: Number(port || 6379), maxRetriesPerRequest: null };
};
const options = (name) => ({ connection: connection(), prefix: name });
/** Deletes ended jobs, as a service would after a while. */
const job = { removeOnComplete: true };

export async function open(name) {
  const queue = new Queue('tasks', options(name));
  await queue.waitUntilReady();
  return {
    add: async (id) => void (await queue.add('task', { id }, job)),
    addMany: async (ids) =>
      void (await queue.addBulk(ids.map((id) => ({ name: 'task', data: { id }, opts: job })))),
    async close() {
      await queue.obliterate({ force: true });
      await queue.close();
    },
  };
}

/** `perform` runs a task by its id; by default a task does nothing. */
export async function work(name, { slots, onRun, onDone }, perform = () => {}) {
  const run = async ({ data }) => {
    onRun(data.id);
    await perform(data.id);
  };
  const worker = new Worker('tasks', run, { ...options(name), concurrency: slots });
  worker.on('completed', ({ data }) => onDone(data.id));
  // The bench waits for all tasks, so a failure must end it.
  worker.on('failed', (_, error) => {
    throw error;
  });
  await worker.waitUntilReady();
}
