import { makeWorkerUtils, run } from 'graphile-worker';

const options = (name) => ({
  connectionString: process.env.POSTGRES_URL,
  schema: name.replaceAll('-', '_'),
  noHandleSignals: true,
  logger: undefined,
});

export async function open(name) {
  const utils = await makeWorkerUtils(options(name));
  await utils.migrate();
  return {
    add: async (id) => void (await utils.addJob('task', { id })),
    addMany: async (ids) =>
      void (await utils.addJobs(ids.map((id) => ({ identifier: 'task', payload: { id } })))),
    async close() {
      await utils.withPgClient((client) => client.query(`DROP SCHEMA ${options(name).schema} CASCADE`));
      await utils.release();
    },
  };
}

export async function work(name, { slots, onRun, onDone }) {
  const runner = await run({
    ...options(name),
    concurrency: slots,
    maxPoolSize: slots + 2,
    taskList: { task: async ({ id }) => onRun(id) },
  });
  runner.events.on('job:complete', ({ job }) => onDone(job.payload.id));
}
