import { setImmediate as nextIteration } from 'node:timers/promises';
import { ownerOf } from '../../../core/fairness/owner.js';
import { createRequestPermits } from '../../../core/http/limits/request-permits.js';
import t from '../../support/t.js';

const never = new AbortController().signal;

/** Permits with a clock that the test moves. `granted` lists the keys in the order in which they got their permits. */
function permitsUnderTest(alwaysLimited = new Set<string>()) {
  let now = 0;
  const granted: string[] = [];
  const permits = createRequestPermits({ permitsOf: () => 2, alwaysLimited, now: () => now });
  return {
    permits,
    granted,
    pass(ms: number) {
      now += ms;
    },
    async ask(key: string, times = 1): Promise<void> {
      for (let n = 0; n < times; n += 1) {
        if (permits.tryTake(ownerOf({ agentId: key }))) granted.push(key);
        else void permits.wait(ownerOf({ agentId: key }), never).then(() => granted.push(key));
      }
    },
    async release(key: string): Promise<void> {
      permits.release(key);
      await nextIteration();
      await nextIteration();
    },
  };
}

t.test('a key that is alone is not limited', async (t) => {
  const { permits, ask, granted } = permitsUnderTest();
  await ask('a', 50);
  t.equal(granted.length, 50);
  t.equal(permits.waiting, 0);
});

t.test('a long queue is granted in parts once its key has no competitor', async (t) => {
  const { permits, ask, granted, pass, release } = permitsUnderTest();
  await ask('quiet');
  await ask('heavy', 202);
  t.equal(permits.waiting, 200);
  pass(2000);
  permits.release('heavy');
  await nextIteration();
  t.ok(permits.waiting > 100, 'other work gets the event loop in between');
  for (let n = 0; n < 3; n += 1) await release('heavy');
  t.equal(granted.length, 203);
});

t.test('keys that compete are limited, and take turns', async (t) => {
  const { permits, ask, granted, release } = permitsUnderTest();
  await ask('quiet');
  await ask('heavy', 6);
  await ask('other', 4);
  t.same(granted, ['quiet', 'heavy', 'heavy', 'other', 'other']);
  t.equal(permits.waiting, 6);
  await release('heavy');
  await release('other');
  await release('heavy');
  t.same(granted.slice(5), ['heavy', 'other', 'heavy']);
  await ask('quiet');
  t.equal(granted.at(-1), 'quiet', 'a key with a free permit does not wait');
});

t.test('a key is limited for a second after the last request of another one', async (t) => {
  const { permits, ask, granted, pass, release } = permitsUnderTest();
  await ask('quiet');
  await ask('heavy', 10);
  t.equal(permits.waiting, 8);
  pass(1001);
  await release('heavy');
  await release('heavy');
  t.equal(granted.length, 11, 'everything that was queued is granted');
  await ask('heavy', 10);
  t.equal(permits.waiting, 0);
});

t.test('requests that are queued while a key is alone again are granted', async (t) => {
  const { permits, ask, pass } = permitsUnderTest();
  await ask('quiet');
  await ask('heavy', 5);
  pass(1001);
  await ask('heavy');
  while (permits.waiting > 0) await nextIteration();
  t.pass();
});

t.test('a key that is always limited neither competes nor gets more when it is alone', async (t) => {
  const { permits, ask, granted } = permitsUnderTest(new Set(['no key']));
  await ask('no key', 5);
  t.equal(permits.waiting, 3);
  await ask('a', 5);
  t.equal(granted.filter((key) => key === 'a').length, 5);
});

t.test('permits are granted in another iteration of the event loop', async (t) => {
  const { permits, ask, granted } = permitsUnderTest();
  await ask('quiet');
  await ask('heavy', 3);
  permits.release('heavy');
  await Promise.resolve();
  t.equal(granted.length, 3);
  await nextIteration();
  t.equal(granted.length, 4);
});

t.test('a released permit cannot be taken in the same iteration of the event loop', async (t) => {
  const { permits, ask, granted } = permitsUnderTest(new Set(['no key']));
  for (let n = 0; n < 5; n += 1) {
    await ask('no key');
    if (n < 2) permits.release('no key');
  }
  t.equal(granted.length, 2, 'requests that never wait for I/O do not follow each other without a break');
  await nextIteration();
  t.equal(granted.length, 4);
  permits.release('no key');
  permits.release('no key');
  await nextIteration();
  t.equal(permits.waiting, 0);
});

t.test('the owners of a key take turns', async (t) => {
  const { permits, release } = permitsUnderTest(new Set(['key']));
  const granted: string[] = [];
  const ask = (agentId: string) =>
    void permits.wait({ workspaceId: 'key', agentId }, never).then(() => granted.push(agentId));
  for (let n = 0; n < 5; n += 1) ask('heavy');
  ask('quiet');
  await release('key');
  await release('key');
  t.same(granted.slice(0, 4), ['heavy', 'heavy', 'heavy', 'quiet']);
});

t.test('an aborted request leaves the queue', async (t) => {
  const { permits, ask, release, granted } = permitsUnderTest();
  await ask('quiet');
  await ask('heavy', 2);
  const client = new AbortController();
  const aborted = permits.wait(ownerOf({ agentId: 'heavy' }), client.signal);
  await ask('heavy');
  client.abort(new Error('the client has gone'));
  await t.rejects(aborted, { message: 'the client has gone' });
  await release('heavy');
  t.same(granted.length, 4, 'the next request gets the permit');
  await t.rejects(permits.wait(ownerOf({ agentId: 'heavy' }), client.signal), {
    message: 'the client has gone',
  });
  t.equal(permits.waiting, 0);
});
