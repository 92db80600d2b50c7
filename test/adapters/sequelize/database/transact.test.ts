import { mock } from 'node:test';
import { setImmediate as rest } from 'node:timers/promises';
import type { Transaction } from 'sequelize';
import type { Connection } from '../../../../adapters/sequelize/database/connection.js';
import { createTransact } from '../../../../adapters/sequelize/database/transact.js';
import { StoreBusy } from '../../../../core/ports/store/store-errors.js';
import t from '../../../support/t.js';

/** Writers on a server with this many connections. Each occupies one until it is ended. */
function setUp(writers: number) {
  const transaction: Connection['transaction'] = (work) => work({} as Transaction);
  const { rawTransaction } = createTransact({
    dialect: 'mysql',
    writers,
    transaction,
    onDisk: null,
  } as Connection);
  const running: { workspaceId: string; end: () => void }[] = [];
  const enter = (workspaceId: string) =>
    rawTransaction(
      () =>
        new Promise<void>((resolve) => {
          const writer = {
            workspaceId,
            end() {
              running.splice(running.indexOf(writer), 1);
              resolve();
            },
          };
          running.push(writer);
        }),
      workspaceId,
    );
  const held = (workspaceId: string) => running.filter((writer) => writer.workspaceId === workspaceId).length;
  return { rawTransaction, enter, running, held };
}

t.test('a blocked workspace leaves connections for others, whatever the length of its queue', async (t) => {
  const { enter, running, held } = setUp(10);
  const all = Array.from({ length: 100 }, () => enter('stuck'));
  for (const workspaceId of ['a', 'b']) all.push(...Array.from({ length: 100 }, () => enter(workspaceId)));
  await rest();
  t.ok(held('stuck') >= 2 && held('stuck') <= 5, `${held('stuck')} of 10`);
  t.ok(held('a') >= 2, `${held('a')} are left for the next`);
  t.ok(held('b') >= 1, `and ${held('b')} for the one after`);
  all.push(enter('late'));
  await rest();
  t.equal(held('late'), 1);
  for (let writer = running.at(0); writer; writer = running.at(0)) {
    writer.end();
    await rest();
  }
  await Promise.all(all);
});

t.test('a writer that waits for longer than 10 s is rejected without starting', async (t) => {
  mock.timers.enable({ apis: ['setTimeout'] });
  t.teardown(() => mock.timers.reset());
  const { enter, running } = setUp(1);
  const first = enter('a');
  const late = enter('b');
  await rest();
  mock.timers.tick(10_000);
  await t.rejects(late, StoreBusy);
  t.same(
    running.map(({ workspaceId }) => workspaceId),
    ['a'],
  );
  running[0]?.end();
  await first;
  const next = enter('b');
  await rest();
  running[0]?.end();
  await next;
});

t.test('a single connection serves workspaces round-robin', async (t) => {
  const { enter, running } = setUp(1);
  const all = [...Array.from({ length: 10 }, () => enter('many')), enter('one')];
  const began: string[] = [];
  for (let n = 0; n < all.length; n += 1) {
    await rest();
    const [writer] = running;
    began.push(writer?.workspaceId ?? '');
    writer?.end();
  }
  await Promise.all(all);
  t.ok(began.indexOf('one') <= 2, began.join());
});

t.test('a failed transaction releases its connection', async (t) => {
  const { rawTransaction } = setUp(1);
  await t.rejects(
    rawTransaction(() => Promise.reject(new Error('no'))),
    { message: 'no' },
  );
  t.equal(await rawTransaction(async () => 'yes'), 'yes');
});
