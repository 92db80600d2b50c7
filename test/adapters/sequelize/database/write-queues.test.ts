import { setImmediate as rest } from 'node:timers/promises';
import t from 'tap';
import { createWriteQueues } from '../../../../adapters/sequelize/database/write-queues.js';
import { StoreBusy } from '../../../../core/ports/store/store-errors.js';

function setUp({ permits = 10, timeoutMs = 60_000 } = {}) {
  const queues = createWriteQueues({ permits, timeoutMs });
  const running: { who: string; end: () => void }[] = [];
  const began: string[] = [];
  const enter = (who: string) =>
    queues.run(who, () => {
      began.push(who);
      return new Promise<void>((resolve) => {
        const turn = {
          who,
          end() {
            running.splice(running.indexOf(turn), 1);
            resolve();
          },
        };
        running.push(turn);
      });
    });
  const held = (who: string) => running.filter((turn) => turn.who === who).length;
  return { queues, enter, running, began, held };
}

t.test('a blocked workspace leaves connections for others, whatever the length of its queue', async (t) => {
  const { enter, running, held } = setUp();
  const all = Array.from({ length: 100 }, () => enter('stuck'));
  for (const who of ['a', 'b']) all.push(...Array.from({ length: 100 }, () => enter(who)));
  await rest();
  t.ok(held('stuck') >= 2 && held('stuck') <= 5, `${held('stuck')} of 10`);
  t.ok(held('a') >= 2, `${held('a')} are left for the next`);
  t.ok(held('b') >= 1, `and ${held('b')} for the one after`);
  all.push(enter('late'));
  await rest();
  t.equal(held('late'), 1);
  for (let turn = running.at(0); turn; turn = running.at(0)) {
    turn.end();
    await rest();
  }
  await Promise.all(all);
});

t.test('one permit is granted round-robin, so a short queue does not wait for a long one', async (t) => {
  const { enter, running, began } = setUp({ permits: 1 });
  const all = [...Array.from({ length: 10 }, () => enter('many')), enter('one')];
  for (let n = 0; n < all.length; n += 1) {
    await rest();
    running[0]?.end();
  }
  await Promise.all(all);
  t.ok(began.indexOf('one') <= 2, began.join());
  t.equal(began.length, 11);
});

t.test('work that waits too long is rejected without starting, and its permit stays free', async (t) => {
  const { enter, running, began } = setUp({ permits: 1, timeoutMs: 20 });
  const first = enter('a');
  await t.rejects(enter('b'), StoreBusy);
  await t.rejects(enter('a'), StoreBusy);
  t.same(began, ['a']);
  running[0]?.end();
  await first;
  const next = enter('b');
  await rest();
  t.same(began, ['a', 'b']);
  running[0]?.end();
  await next;
});

t.test('failed work releases its permit', async (t) => {
  const { queues } = setUp({ permits: 1 });
  await t.rejects(
    queues.run('a', () => Promise.reject(new Error('no'))),
    { message: 'no' },
  );
  t.equal(await queues.run('a', async () => 'yes'), 'yes');
});
