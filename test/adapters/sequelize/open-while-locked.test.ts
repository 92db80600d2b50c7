import { once } from 'node:events';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { openStore } from '../../../adapters/sequelize/index.js';
import t from '../../support/t.js';
import { tempFolder } from '../../support/temp-folder.js';

const HELD_MS = 300;

/**
 * Simulates another process that creates the same file and holds it for a while. Uses a thread, because opening
 * blocks this one.
 */
async function holdLock(file: string): Promise<Worker> {
  const holder = new Worker(
    `const { workerData, parentPort } = require('node:worker_threads');
     const { DatabaseSync } = require('@photostructure/sqlite');
     const database = new DatabaseSync(workerData.file);
     database.exec('BEGIN EXCLUSIVE; CREATE TABLE x (y)');
     parentPort.postMessage('held');
     setTimeout(() => { database.exec('COMMIT'); database.close(); }, workerData.heldMs);`,
    { eval: true, workerData: { file, heldMs: HELD_MS } },
  );
  await once(holder, 'message');
  return holder;
}

t.test('a new file that another process holds is opened afterwards', async (t) => {
  const file = join(tempFolder(t), 'new.sqlite');
  const holder = await holdLock(file);
  const store = openStore({ url: `sqlite:${file}`, poolSize: 1, statementTimeoutMs: 5000 });
  t.teardown(() => store.close());
  await store.migrate();
  t.same(await store.pending(), []);
  await holder.terminate();
});
