import { setImmediate as nextRound } from 'node:timers/promises';
import t from 'tap';
import { createLargeBodies } from '../../../core/http/large-bodies.js';

function slowly() {
  let round = 0;
  const order: string[] = [];
  const rounds: number[] = [];
  const bodies = createLargeBodies();
  const take = (who: string) =>
    bodies.take(who, () => {
      order.push(who);
      rounds.push(round);
      return who;
    });
  const pass = async (count: number): Promise<void> => {
    for (const end = round + count; round < end; round += 1) await nextRound();
  };
  return { bodies, take, order, rounds, pass };
}

t.test('each large body has a round of the event loop of its own', async (t) => {
  const { take, rounds, pass } = slowly();
  const all = ['a', 'a', 'a', 'b'].map(take);
  await pass(10);
  t.equal(new Set(rounds).size, 4, rounds.join(' '));
  t.same(await Promise.all(all), ['a', 'a', 'a', 'b']);
});

t.test('workspaces take turns: who has one body waits for one of another at most', async (t) => {
  const { take, order } = slowly();
  await Promise.all([take('busy'), take('busy'), take('busy'), take('busy'), take('quiet')]);
  t.same(order, ['busy', 'quiet', 'busy', 'busy', 'busy']);
});

t.test('a body that is refused does not hold up the next', async (t) => {
  const { bodies, take } = slowly();
  const refused = bodies.take('a', () => {
    throw new Error('no JSON');
  });
  const next = take('a');
  await t.rejects(refused, { message: 'no JSON' });
  t.equal(await next, 'a');
});
