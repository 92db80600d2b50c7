import { setImmediate as nextIteration } from 'node:timers/promises';
import { createSemaphore } from '../../../core/fairness/semaphore.js';
import { mayTakeShare } from '../../../core/fairness/shares.js';
import t from '../../support/t.js';

const never = new AbortController().signal;
const of = (workspaceId: string) => ({ workspaceId, agentId: workspaceId });

t.test('without owners, permits are granted in FIFO order', async (t) => {
  const semaphore = createSemaphore(1);
  const granted: number[] = [];
  const release = await semaphore.acquire();
  const others = [1, 2, 3].map(async (n) => {
    const releaseNext = await semaphore.acquire();
    granted.push(n);
    releaseNext();
  });
  await nextIteration();
  t.same(granted, []);
  release();
  release();
  await Promise.all(others);
  t.same(granted, [1, 2, 3]);
});

t.test('an aborted request leaves the queue', async (t) => {
  const semaphore = createSemaphore(1);
  const release = await semaphore.acquire();
  const controller = new AbortController();
  const aborted = semaphore.acquire(controller.signal);
  const next = semaphore.acquire();
  controller.abort(new Error('no longer'));
  await t.rejects(aborted, { message: 'no longer' });
  release();
  (await next)();
  await t.rejects(semaphore.acquire(controller.signal), { message: 'no longer' });
});

t.test('when all permits are taken, a spare one is for a workspace that has none', async (t) => {
  const semaphore = createSemaphore(2, { spare: 1 });
  const granted: string[] = [];
  const acquire = (workspaceId: string) =>
    semaphore.acquire(never, of(workspaceId)).then((release) => {
      granted.push(workspaceId);
      return release;
    });
  const first = await acquire('greedy');
  await acquire('greedy');
  const third = acquire('greedy');
  const quiet = await acquire('quiet');
  const late = acquire('late');
  t.strictSame(granted, ['greedy', 'greedy', 'quiet'], 'nothing is spare any more');
  quiet();
  (await late)();
  t.strictSame(granted, ['greedy', 'greedy', 'quiet', 'late']);
  first();
  await third;
  t.strictSame(granted.at(-1), 'greedy');
});

t.test('a workspace that is alone gets all permits, or half of them if they are shared', async (t) => {
  const held = async (semaphore: ReturnType<typeof createSemaphore>) => {
    let n = 0;
    for (let request = 0; request < 10; request += 1)
      void semaphore.acquire(never, of('one')).then(() => (n += 1));
    await nextIteration();
    return n;
  };
  t.equal(await held(createSemaphore(4, { spare: 1 })), 4);
  t.equal(await held(createSemaphore(4, { spare: 1, rule: mayTakeShare })), 2);
});

t.test('work that fails releases its permit, and a drain waits for all permits', async (t) => {
  const semaphore = createSemaphore(2);
  await t.rejects(
    semaphore.run(of('a'), never, () => Promise.reject(new Error('failed'))),
    { message: 'failed' },
  );
  const release = await semaphore.acquire();
  let isDrained = false;
  const drained = semaphore.drain().then(() => {
    isDrained = true;
  });
  await nextIteration();
  t.notOk(isDrained);
  release();
  await drained;
});
