import { setImmediate as nextRound } from 'node:timers/promises';
import t from 'tap';
import { createRequestTurns } from '../../../core/http/request-turns.js';

t.test('who comes after a hundred requests of another workspace waits for a few of them', async (t) => {
  const turns = createRequestTurns(() => 0);
  const order: string[] = [];
  const enter = async (who: string) => {
    await turns.enter(who);
    order.push(who);
  };
  const all = Array.from({ length: 100 }, () => enter('busy'));
  await nextRound();
  all.push(enter('quiet'));
  await Promise.all(all);
  t.equal(order.length, 101);
  t.ok(order.indexOf('quiet') < 10, `${order.indexOf('quiet')} came first`);
});

t.test('workspaces that wait go by turns', async (t) => {
  const turns = createRequestTurns(() => 0);
  const order: string[] = [];
  const enter = async (who: string) => {
    await turns.enter(who);
    order.push(who);
  };
  await Promise.all(['a', 'a', 'a', 'a', 'a', 'a', 'a', 'b', 'b', 'b'].map(enter));
  t.equal(order.join(''), 'aaaaababab');
});

t.test('where each takes its time, a round of the event loop has one', async (t) => {
  let time = 0;
  const turns = createRequestTurns(() => time);
  let rounds = 0;
  const enteredIn: number[] = [];
  const all = Array.from({ length: 8 }, async () => {
    await turns.enter('busy');
    enteredIn.push(rounds);
    time += 10;
  });
  for (; enteredIn.length < all.length && rounds < 100; rounds += 1) await nextRound();
  await Promise.all(all);
  const later = enteredIn.filter((round) => round > 0);
  t.ok(later.length >= 4);
  t.equal(new Set(later).size, later.length, enteredIn.join(' '));
});

t.test('a line that was empty again starts afresh', async (t) => {
  const turns = createRequestTurns(() => 0);
  for (let round = 0; round < 3; round += 1) {
    let entered = 0;
    await Promise.all(Array.from({ length: 30 }, () => turns.enter('busy').then(() => (entered += 1))));
    t.equal(entered, 30);
    await nextRound();
  }
});
