import { setImmediate as nextIteration } from 'node:timers/promises';
import t from 'tap';
import { createFairQueue, type FairQueueOptions, QueueTimeout } from '../../../core/fairness/fair-queue.js';

const HOUR_MS = 3_600_000;

/** A queue with a clock that the test moves. `granted` lists the keys in the order in which they got their permits. */
function queueUnderTest(options: Partial<FairQueueOptions> = {}) {
  let now = 0;
  const granted: string[] = [];
  const queue = createFairQueue({
    permits: 2,
    timeoutMs: HOUR_MS,
    now: () => now,
    ...options,
  });
  return {
    queue,
    granted,
    pass(ms: number) {
      now += ms;
    },
    async ask(key: string, times = 1): Promise<void> {
      for (let n = 0; n < times; n += 1) {
        const turn = queue.acquire(key);
        if (turn) void turn.then(() => granted.push(key)).catch(() => {});
        else granted.push(key);
      }
    },
    async release(key: string): Promise<void> {
      queue.release(key);
      await nextIteration();
      await nextIteration();
    },
  };
}

t.test('a key that is alone is not limited', async (t) => {
  const { queue, ask, granted } = queueUnderTest();
  await ask('a', 50);
  t.equal(granted.length, 50);
  t.equal(queue.waiting, 0);
});

t.test('keys that compete are limited, and take turns', async (t) => {
  const { queue, ask, granted, release } = queueUnderTest();
  await ask('quiet');
  await ask('heavy', 6);
  await ask('other', 4);
  t.same(granted, ['quiet', 'heavy', 'heavy', 'other', 'other']);
  t.equal(queue.waiting, 6);
  await release('heavy');
  await release('other');
  await release('heavy');
  t.same(granted.slice(5), ['heavy', 'other', 'heavy']);
  await ask('quiet');
  t.equal(granted.at(-1), 'quiet', 'a key with a free permit does not wait');
});

t.test('a key is limited for a second after the last request of another one', async (t) => {
  const { queue, ask, granted, pass, release } = queueUnderTest();
  await ask('quiet');
  await ask('heavy', 10);
  t.equal(queue.waiting, 8);
  pass(1001);
  await release('heavy');
  await release('heavy');
  t.equal(granted.length, 11, 'everything that was queued is granted');
  await ask('heavy', 10);
  t.equal(queue.waiting, 0);
});

t.test('requests that are queued while a key is alone again are granted', async (t) => {
  const { queue, ask, pass } = queueUnderTest();
  await ask('quiet');
  await ask('heavy', 5);
  pass(1001);
  await ask('heavy');
  while (queue.waiting > 0) await nextIteration();
  t.pass();
});

t.test('a key that is always limited neither competes nor gets more when it is alone', async (t) => {
  const { queue, ask, granted } = queueUnderTest({ alwaysLimited: new Set(['no key']) });
  await ask('no key', 5);
  t.equal(queue.waiting, 3);
  await ask('a', 5);
  t.equal(granted.filter((key) => key === 'a').length, 5);
});

t.test('permits are granted in another iteration of the event loop', async (t) => {
  const { queue, ask, granted } = queueUnderTest();
  await ask('quiet');
  await ask('heavy', 3);
  queue.release('heavy');
  await Promise.resolve();
  t.equal(granted.length, 3);
  await nextIteration();
  t.equal(granted.length, 4);
});

t.test('a released permit cannot be taken in the same iteration of the event loop', async (t) => {
  const { queue, ask, granted } = queueUnderTest({ alwaysLimited: new Set(['no key']) });
  for (let n = 0; n < 5; n += 1) {
    await ask('no key');
    if (n < 2) queue.release('no key');
  }
  t.equal(granted.length, 2, 'requests that never wait for I/O do not follow each other without a break');
  await nextIteration();
  t.equal(granted.length, 4);
  queue.release('no key');
  queue.release('no key');
  await nextIteration();
  t.equal(queue.waiting, 0);
});

t.test('a request that waits for too long is refused, and does not take a permit later', async (t) => {
  const { queue, ask, release, granted } = queueUnderTest({ timeoutMs: 1 });
  await ask('quiet');
  await ask('heavy', 2);
  const refused = t.rejects(queue.acquire('heavy') as Promise<void>, QueueTimeout);
  while (queue.waiting > 0) await nextIteration();
  await refused;
  await release('heavy');
  await ask('heavy');
  t.equal(granted.length, 4);
});

t.test('an aborted request leaves the queue', async (t) => {
  const { queue, ask, release, granted } = queueUnderTest();
  await ask('quiet');
  await ask('heavy', 2);
  const client = new AbortController();
  const turn = queue.acquire('heavy', () => client.signal) as Promise<void>;
  await ask('heavy');
  client.abort(new Error('the client has gone'));
  await t.rejects(turn, { message: 'the client has gone' });
  await release('heavy');
  t.same(granted.length, 4, 'the next request gets the permit');
  const aborted = queue.acquire('heavy', () => AbortSignal.abort(new Error('gone before')));
  await t.rejects(aborted as Promise<void>, { message: 'gone before' });
  t.equal(queue.waiting, 0);
});
