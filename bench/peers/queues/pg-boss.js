import { PgBoss } from 'pg-boss';

const boss = async (name, options = {}) => {
  const it = new PgBoss({
    connectionString: process.env.POSTGRES_URL,
    schema: name.replaceAll('-', '_'),
    ...options,
  });
  it.on('error', (error) => console.error(error.message));
  await it.start();
  return it;
};

export async function open(name) {
  const it = await boss(name);
  await it.createQueue('tasks');
  return {
    add: async (id) => void (await it.send('tasks', { id })),
    addMany: async (ids) =>
      void (await it.insert(
        'tasks',
        ids.map((id) => ({ data: { id } })),
      )),
    async close() {
      await it.getDb().executeSql(`DROP SCHEMA ${name.replaceAll('-', '_')} CASCADE`);
      await it.stop({ graceful: false });
    },
  };
}

export async function work(name, { onRun, onDone }) {
  const it = await boss(name, { supervise: false, schedule: false, migrate: false });
  // Fetched in batches, polled as often as it allows.
  await it.work('tasks', { batchSize: 500, pollingIntervalSeconds: 0.5 }, async (jobs) => {
    for (const { data } of jobs) onRun(data.id);
    setImmediate(() => {
      for (const { data } of jobs) onDone(data.id);
    });
  });
}
