import t, { type Test } from 'tap';
import { createDispatcher } from '../../../core/jobs/dispatcher.js';
import { createSweeps } from '../../../core/jobs/sweeps.js';
import type { TaskMessage } from '../../../core/jobs/wire.js';
import { silentLog } from '../../../core/ports/log.port.js';
import type { Queue } from '../../../core/ports/queue.port.js';
import type { Storage } from '../../../core/ports/storage.port.js';
import { actors, said } from '../../support/agents.js';

const START = 1_800_000_000_000;

/** Sweeps over a real store; the test runs each by hand, and decides what queue and storage do. */
async function sweepsUnderTest(test: Test, { window = 2 } = {}) {
  const world = await actors(test, { window });
  let now = START;
  const published: TaskMessage[] = [];
  const queueIs = { up: true };
  const resists = new Set<string>();
  const deleted: string[] = [];
  const queue = {
    publish: async (messages: readonly TaskMessage[]) => {
      if (queueIs.up) published.push(...messages);
      return messages.map(() => queueIs.up);
    },
    depth: async () => ({ waiting: 0, consumers: 0 }),
  } as unknown as Queue;
  const storage = {
    delete: async (path: string) => {
      if (resists.has(path)) throw new Error('held by a policy');
      deleted.push(path);
    },
  } as Storage;
  const sweeps = createSweeps({
    store: world.store,
    agents: world.agents,
    dispatcher: createDispatcher({ queue, tasks: world.store.tasks, log: silentLog }),
    queue,
    storage,
    clock: { now: () => now },
    log: silentLog,
    leaseMs: 15_000,
    retrainIntervalSeconds: 3600,
    uploadsAbandonedAfterSeconds: 86_400,
  });
  const run = (name: string) => {
    const sweep = sweeps.find((each) => each.name === name);
    if (!sweep) throw new Error(`there is no sweep ${name}`);
    return sweep.run();
  };
  const pass = (ms: number) => {
    now += ms;
    world.pass(ms);
  };
  return { ...world, run, pass, published, queueIs, resists, deleted, seconds: () => Math.floor(now / 1000) };
}

t.test(
  'after an outage the outbox is emptied without pauses, and waits while the queue is away',
  async (t) => {
    const { agents, agentId, run, pass, published, queueIs } = await sweepsUnderTest(t, { window: 150 });
    for (let n = 0; n < 150; n += 1)
      await agents.ask(agentId, { kind: 'addUrl', url: `https://a.example/${n}`, requestId: 'r' });
    pass(6000);
    queueIs.up = false;
    t.equal(await run('outbox'), false, 'no hurry while nothing is taken');
    queueIs.up = true;
    t.equal(await run('outbox'), true, 'there may be more');
    t.equal(await run('outbox'), false);
    t.equal(new Set(published.map(({ taskId }) => taskId)).size, 150);
    t.equal(await run('outbox'), false);
    t.equal(published.length, 150, 'each of them once');
  },
);

t.test('a clock that was set back does not keep leases from ending', async (t) => {
  const { agents, agentId, store, run, pass, sent } = await sweepsUnderTest(t);
  const lookOn = async (seconds: number) => {
    for (let passed = 0; passed < seconds; passed += 4) {
      pass(4000);
      await run('leases');
    }
  };
  await lookOn(20);
  pass(-3_600_000);
  await agents.ask(agentId, { kind: 'addUrl', url: 'https://a.example/', requestId: 'r' });
  const [attempt] = sent.splice(0);
  if (!attempt) throw new Error('nothing was admitted');
  await agents.ask(agentId, said.started(attempt));
  await lookOn(40);
  t.match((await store.operations.job(attempt.jobId))?.tasks, [{ attempts: 2 }]);
});

t.test('objects that resist their deletion keep no others from going', async (t) => {
  const { store, run, pass, resists, deleted, seconds } = await sweepsUnderTest(t);
  const stubborn = Array.from({ length: 250 }, (_, n) => `uploads/stubborn/${n}`);
  for (const path of stubborn) resists.add(path);
  await store.uploads.addDiscards(stubborn, seconds() - 100);
  await store.uploads.addDiscards(['uploads/fine'], seconds() - 50);
  pass(1000);
  for (let round = 0; round < 3; round += 1) await run('discards');
  t.same(deleted, ['uploads/fine']);
  resists.clear();
  for (let round = 0; round < 5; round += 1) await run('discards');
  t.equal(deleted.length, 251, 'and they are tried again');
  t.same(await store.uploads.discards(seconds(), null, 10), []);
});

t.test('an object that is discarded once more while it is being deleted is deleted once more', async (t) => {
  const { store, run, pass, deleted, seconds } = await sweepsUnderTest(t);
  await store.uploads.addDiscards(['results/a/1'], seconds());
  t.equal(await run('discards'), false);
  t.same(deleted, [], 'its attempt may still be written a second time');
  pass(5000);
  const [found] = await store.uploads.discards(seconds(), null, 10);
  if (!found) throw new Error('the discard is lost');
  await store.uploads.addDiscards(['results/a/1'], seconds());
  await store.uploads.discarded([found]);
  pass(5000);
  await run('discards');
  t.same(deleted, ['results/a/1']);
});
