import { setImmediate as nextRound } from 'node:timers/promises';
import t from 'tap';
import { createLargeBodies } from '../../../core/http/large-bodies.js';

/** A clock by which each body takes 2 ms, and rests that end when they are told to. */
function slowly(othersAsk = false) {
  let time = 0;
  const rests: { ms: number; end: () => void }[] = [];
  const order: string[] = [];
  const bodies = createLargeBodies(
    { othersAsk: () => othersAsk },
    () => time,
    (ms) =>
      new Promise<void>((resolve) => {
        const end = (): void => {
          time += ms;
          resolve();
        };
        rests.push({ ms, end });
      }),
  );
  const take = (who: string) =>
    bodies.take(who, () => {
      time += 2;
      order.push(who);
      return who;
    });
  return { bodies, take, rests, order };
}

const rounds = async (count: number): Promise<void> => {
  for (let n = 0; n < count; n += 1) await nextRound();
};

t.test(
  'between two large bodies the thread is free for several times as long as the first one took',
  async (t) => {
    const { take, rests, order } = slowly();
    const both = [take('a'), take('a')];
    await rounds(5);
    t.same(order, ['a'], 'the second waits, however many rounds others are served in');
    t.equal(rests.length, 1);
    t.ok((rests[0]?.ms ?? 0) >= 8, `${rests[0]?.ms} ms of rest after 2 ms of work`);
    rests[0]?.end();
    t.same(await Promise.all(both), ['a', 'a']);
  },
);

/** Ends all rests until there is none, and tells how long they were together. */
async function endAll(rests: { ms: number; end: () => void }[]): Promise<number> {
  let together = 0;
  await rounds(2);
  for (let next = rests.shift(); next; next = rests.shift()) {
    together += next.ms;
    next.end();
    await rounds(2);
  }
  return together;
}

t.test('while other workspaces ask for something, the thread is free for longer', async (t) => {
  const { take, rests } = slowly(true);
  await take('a');
  t.equal(await endAll(rests), 64, 'after 2 ms of work');
});

t.test('a body of another workspace that comes meanwhile does not wait for that', async (t) => {
  const { take, rests, order } = slowly(true);
  const all = [take('a'), take('a'), take('a')];
  await rounds(2);
  rests.shift()?.end();
  await rounds(2);
  t.same(order, ['a'], 'the rest goes on');
  all.push(take('b'));
  for (let n = 0; n < 2; n += 1) {
    rests.shift()?.end();
    await rounds(2);
  }
  t.same(order, ['a', 'a', 'b'], 'it is the turn of the other, and then of this one');
  await endAll(rests);
  await Promise.all(all);
});

t.test('workspaces that send large bodies side by side do not slow each other down', async (t) => {
  const { take, rests } = slowly(true);
  const both = [take('a'), take('b')];
  await rounds(5);
  t.equal(rests[0]?.ms, 8, 'as long as after a body of one that is alone');
  rests[0]?.end();
  await rounds(5);
  rests[1]?.end();
  t.same(await Promise.all(both), ['a', 'b']);
});

t.test('workspaces take turns: one body waits for at most one of another workspace', async (t) => {
  const { take, rests, order } = slowly();
  const all = [take('busy'), take('busy'), take('busy'), take('busy'), take('quiet')];
  for (let n = 0; n < all.length; n += 1) {
    await rounds(3);
    rests[n]?.end();
  }
  await Promise.all(all);
  t.same(order, ['busy', 'quiet', 'busy', 'busy', 'busy']);
});

t.test('a body that is refused, or interrupted, does not hold up the next', async (t) => {
  let time = 0;
  const rests: number[] = [];
  const bodies = createLargeBodies(
    { othersAsk: () => false },
    () => time,
    async (ms) => {
      rests.push(ms);
      time += ms;
    },
  );
  const refused = bodies.take('a', () => {
    time += 60_000;
    throw new Error('no JSON');
  });
  const next = bodies.take('a', () => 'next');
  await t.rejects(refused, { message: 'no JSON' });
  t.equal(await next, 'next');
  t.same(rests, [50], 'a minute on another process is not paid for');
});
