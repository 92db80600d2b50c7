import type { Test } from 'tap';
import { v7 as uuidv7 } from 'uuid';
import { filesystem } from '../../../adapters/filesystem/index.js';
import { strayObjects } from '../../../core/jobs/stray-objects.js';
import { silentLog } from '../../../core/ports/log.port.js';
import { resultRef } from '../../../core/tasks/extraction-object.js';
import { adoptStorage, OWNER } from '../../../core/workspaces/installation-claim.js';
import { actors, said } from '../../support/agents.js';
import t from '../../support/t.js';

/** The sweep over a real store and a real folder. The clock is far ahead of the files by default. */
async function world(t: Test) {
  const made = await actors(t, { storageBytes: 100_000 });
  const { port: storage, stop } = await filesystem.start({
    options: {},
    log: silentLog,
    role: 'api',
    dataDir: made.folder,
    maxUploadBytes: 1000,
    maxDeliveries: 3,
    secret: Buffer.from('a secret of a test'),
    processName: 'test',
    now: () => Date.now(),
  });
  t.teardown(() => stop({ deadlineMs: 1000 }));
  const sweepOf = (installation: string, now = () => Date.now() + 2 * 3_600_000) =>
    strayObjects({ store: made.store, storage, clock: { now }, log: silentLog, installation });
  const rounds = async (sweep: ReturnType<typeof sweepOf>, count = 2) => {
    for (let n = 0; n < count; n += 1) while (await sweep.run());
    return (await made.store.uploads.discards(2 ** 40, null, 1000)).map(({ path }) => path);
  };
  const adopt = (installation: string) => adoptStorage(storage, installation);
  await adopt('one');
  return { ...made, storage, adopt, sweepOf, rounds };
}

t.test('discards objects without an upload, document, open task or discard', async (t) => {
  const { agents, agentId, sent, storage, store, sweepOf, rounds } = await world(t);
  const path = () => `agents/${agentId}/${uuidv7()}.txt`;
  const [issued, document, deleted, gone] = [path(), path(), path(), path()];
  for (const each of [issued, document]) {
    await agents.send(agentId, { kind: 'issueUploads', uploads: [{ storagePath: each, fileName: 'a.txt' }] });
    await storage.put(each, Buffer.from('known'));
  }
  const files = [{ storagePath: document, fileName: 'a.txt', bytes: 5, etag: 'x' }];
  await agents.send(agentId, { kind: 'indexFiles', unique: false, files, requestId: 'request' });
  const [attempt] = sent.splice(0);
  if (!attempt) throw new Error('nothing was admitted');
  const result = resultRef(attempt.taskId, 1);
  await storage.put(result, Buffer.from('of an open task'));
  const sweep = sweepOf('one');
  t.same(await rounds(sweep), [], 'all of it is known');

  await agents.send(agentId, said.succeeded(attempt, 'text'));
  await store.uploads.addDiscards([deleted], 1);
  await storage.put(deleted, Buffer.from('about to be deleted'));
  await storage.put(gone, Buffer.from('after its row'));
  await storage.put(`agents/${uuidv7()}/${uuidv7()}.pdf`, Buffer.from('of an agent that is deleted'));
  await storage.put('backups/2026', Buffer.from('of somebody else'));
  const discarded = await rounds(sweep, 1);
  t.equal(discarded.length, 4);
  t.ok(discarded.includes(gone) && discarded.includes(result));
  t.notOk(discarded.includes(issued) || discarded.includes(document) || discarded.includes('backups/2026'));
});

t.test('examines hundreds of objects in pages and keeps recent ones', async (t) => {
  const { agentId, storage, sweepOf, rounds } = await world(t);
  for (let n = 0; n < 230; n += 1) await storage.put(`agents/${agentId}/${uuidv7()}.txt`, Buffer.from('x'));
  t.same(await rounds(sweepOf('one', () => Date.now() + 1_800_000)), []);
  t.equal((await rounds(sweepOf('one'))).length, 230);
});

t.test('only the installation that has claimed the storage removes what it does not know', async (t) => {
  const { agentId, storage, adopt, sweepOf, rounds } = await world(t);
  await storage.put(`agents/${agentId}/${uuidv7()}.txt`, Buffer.from('x'));
  t.same(await rounds(sweepOf('two')), []);
  await storage.delete(OWNER);
  t.same(await rounds(sweepOf('one')), [], 'the storage is unclaimed');
  await adopt('one');
  t.equal((await rounds(sweepOf('one'), 1)).length, 1);
});

t.test(
  'another installation that adopts the storage while the list is looked through ends that',
  async (t) => {
    const { agentId, storage, adopt, sweepOf, rounds } = await world(t);
    for (let n = 0; n < 150; n += 1) await storage.put(`agents/${agentId}/${uuidv7()}.txt`, Buffer.from('x'));
    const sweep = sweepOf('one');
    t.ok(await sweep.run(), 'there is more');
    const before = await rounds(sweep, 0);
    await adopt('two');
    t.same(await rounds(sweep), before);
    t.ok(before.length < 150, 'some of it had not been looked at');
  },
);
