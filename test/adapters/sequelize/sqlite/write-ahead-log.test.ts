import { createWriteAheadLog } from '../../../../adapters/sequelize/sqlite/write-ahead-log.js';
import t from '../../../support/t.js';

/** A disk whose syncs and checkpoints end on request. */
function slowDisk() {
  const syncs: { end: () => void; fail: (error: Error) => void }[] = [];
  const checkpoints: (() => void)[] = [];
  const log = createWriteAheadLog({
    sync: () => new Promise((end, fail) => syncs.push({ end, fail })),
    checkpoint: () => new Promise((end) => checkpoints.push(end)),
  });
  return { log, syncs, checkpoints };
}

const rounds = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Whether it has resolved by now. */
async function isDone(promise: Promise<unknown>): Promise<boolean> {
  let done = false;
  void promise.then(() => {
    done = true;
  });
  await rounds();
  return done;
}

t.test('waiting commits share one sync; commits during it wait for the next', async (t) => {
  const { log, syncs } = slowDisk();
  log.committed(1);
  const first = log.onDisk();
  log.committed(1);
  const second = log.onDisk();
  await rounds();
  t.equal(syncs.length, 1, 'one sync for both');

  log.committed(1);
  const third = log.onDisk();
  await rounds();
  t.equal(syncs.length, 1, 'none beside another');
  syncs[0]?.end();
  await Promise.all([first, second]);
  t.notOk(await isDone(third), 'a sync that began before a commit says nothing of it');
  t.equal(syncs.length, 2);
  syncs[1]?.end();
  await third;
});

t.test('without a commit there is no sync to wait for', async (t) => {
  const { log, syncs } = slowDisk();
  await log.onDisk();
  t.equal(syncs.length, 0);
});

t.test('after a failed sync, no commit is ever confirmed', async (t) => {
  const { log, syncs } = slowDisk();
  log.committed(1);
  const first = log.onDisk();
  log.committed(1);
  const second = log.onDisk();
  await rounds();
  syncs[0]?.fail(new Error('input/output error'));
  await t.rejects(first, { message: 'input/output error' });
  await t.rejects(second, { message: 'input/output error' });
  log.committed(1);
  await t.rejects(log.onDisk(), { message: 'input/output error' });
  t.equal(syncs.length, 1, 'the disk is not asked again: it would not know any more');
  t.throws(() => log.mustWork(), { message: 'input/output error' });
  await log.close();
});

t.test('checkpoints run after many or large commits, one at a time', async (t) => {
  const { log, checkpoints } = slowDisk();
  for (let n = 0; n < 31; n += 1) log.committed(100);
  t.equal(checkpoints.length, 0);
  log.committed(100);
  t.equal(checkpoints.length, 1);
  log.committed(3_000_000);
  t.equal(checkpoints.length, 1, 'the next one waits for the first');
  checkpoints[0]?.();
  await rounds();
  log.committed(1);
  t.equal(checkpoints.length, 2, 'what has come meanwhile counts');
});

t.test('a failed checkpoint is harmless, logged once and retried later', async (t) => {
  let checkpoints = 0;
  const warnings: string[] = [];
  const hear = ({ message }: Error) => void warnings.push(message);
  process.on('warning', hear);
  t.teardown(() => process.off('warning', hear));
  const log = createWriteAheadLog({
    sync: async () => {},
    checkpoint: async () => {
      checkpoints += 1;
      throw new Error('no thread');
    },
  });
  log.committed(3_000_000);
  await rounds();
  log.committed(3_000_000);
  t.equal(checkpoints, 2);
  await log.close();
  await rounds();
  t.same(warnings, ['SQLite commits cannot be moved into the database file, so the log grows: no thread']);
});

t.test('a writer that is faster than the checkpoints waits for the running one', async (t) => {
  const { log, syncs, checkpoints } = slowDisk();
  log.committed(3_000_000);
  const first = log.onDisk();
  await rounds();
  syncs[0]?.end();
  await first;
  t.equal(checkpoints.length, 1, 'it goes on beside writers');

  log.committed(20_000_000);
  const second = log.onDisk();
  await rounds();
  syncs[1]?.end();
  t.notOk(await isDone(second));
  checkpoints[0]?.();
  await second;
});
