import type { Test } from 'tap';
import { createDispatcher } from '../../../core/jobs/dispatcher.js';
import { createSweeps } from '../../../core/jobs/sweeps.js';
import { silentLog } from '../../../core/ports/log.port.js';
import type { Queue } from '../../../core/ports/queue.port.js';
import type { Storage } from '../../../core/ports/storage.port.js';
import type { TaskMessage } from '../../../core/tasks/wire.js';
import { actors, said } from '../../support/agents.js';
import { addPages, pageUrls } from '../../support/pages.js';
import t from '../../support/t.js';

const START = 1_800_000_000_000;

/** Sweeps over a real store. The test runs each by hand and controls queue and storage. */
async function sweepsUnderTest(test: Test, { window = 2, windowOfAll = 1000, isQueueInside = false } = {}) {
  const world = await actors(test, { window, windowOfAll });
  let now = START;
  const published: TaskMessage[] = [];
  const queueIs: { up: boolean; waiting: number | null } = { up: true, waiting: 0 };
  const resists = new Set<string>();
  const deleted: string[] = [];
  const queue = {
    publish: async (messages: readonly TaskMessage[]) => {
      if (queueIs.up) published.push(...messages);
      return messages.map(() => queueIs.up);
    },
    depth: async () => ({ waiting: queueIs.waiting, consumers: 0 }),
  } as unknown as Queue;
  const storage = {
    delete: async (path: string) => {
      if (resists.has(path)) throw new Error('held by a policy');
      deleted.push(path);
    },
  } as Storage;
  const start = () =>
    createSweeps({
      store: world.store,
      agents: world.agents,
      dispatcher: createDispatcher({ queue, tasks: world.store.tasks, installation: 'ours', log: silentLog }),
      queue,
      isQueueInside,
      storage,
      clock: { now: () => now },
      log: silentLog,
      leaseMs: 15_000,
      windows: { ofAgent: window, ofAll: windowOfAll },
      retrainIntervalSeconds: 3600,
      keepJobsDays: 30,
      uploadsAbandonedAfterSeconds: 86_400,
      installation: 'test',
    });
  let sweeps = start();
  const restart = () => {
    sweeps = start();
  };
  const run = (name: string) => {
    const sweep = sweeps.find((each) => each.name === name);
    if (!sweep) throw new Error(`there is no sweep ${name}`);
    return sweep.run();
  };
  const pass = (ms: number) => {
    now += ms;
    world.pass(ms);
  };
  // A service that has been running for a while.
  await run('outbox');
  pass(10_000);
  return {
    ...world,
    run,
    restart,
    pass,
    published,
    queueIs,
    resists,
    deleted,
    seconds: () => Math.floor(now / 1000),
  };
}

t.test('after an outage the outbox is emptied without pauses; during it, the sweep waits', async (t) => {
  const { agents, agentId, run, pass, published, queueIs } = await sweepsUnderTest(t, { window: 150 });
  for (let n = 0; n < 150; n += 1)
    await agents.send(agentId, { kind: 'indexUrl', url: `https://a.example/${n}`, requestId: 'r' });
  pass(6000);
  queueIs.up = false;
  t.equal(await run('outbox'), false, 'no hurry while nothing is taken');
  queueIs.up = true;
  t.equal(await run('outbox'), true, 'there may be more');
  queueIs.waiting = published.length;
  t.equal(await run('outbox'), false);
  t.equal(new Set(published.map(({ taskId }) => taskId)).size, 150);
  t.equal(await run('outbox'), false);
  t.equal(published.length, 150, 'each of them once');
});

t.test('after a restart the outbox waits until the queue is empty, for a minute at most', async (t) => {
  const { agents, agentId, run, restart, pass, published, queueIs } = await sweepsUnderTest(t);
  await agents.send(agentId, { kind: 'indexUrl', url: 'https://a.example/', requestId: 'r' });
  pass(10_000);
  queueIs.waiting = 1;
  restart();
  pass(10_000);
  await run('outbox');
  queueIs.waiting = 0;
  await run('outbox');
  t.same(published, [], 'a worker is just taking it');
  pass(6000);
  await run('outbox');
  t.equal(published.length, 1);

  await agents.send(agentId, { kind: 'indexUrl', url: 'https://a.example/other', requestId: 'r' });
  queueIs.waiting = 1;
  restart();
  pass(50_000);
  await run('outbox');
  t.equal(published.length, 1);
  pass(11_000);
  await run('outbox');
  t.equal(published.length, 2);
});

t.test('messages that a queue lost are published again, even if it is not empty', async (t) => {
  const world = await sweepsUnderTest(t, { window: 5 });
  const { agents, agentId, run, pass, published, queueIs } = world;
  const submit = async (path: string) =>
    agents.send(agentId, { kind: 'indexUrl', url: `https://a.example/${path}`, requestId: 'r' });
  for (const path of ['1', '2', '3']) await submit(path);
  pass(6000);
  await run('outbox');
  t.equal(published.splice(0).length, 3);
  // The queue is purged. Two more tasks arrive, and no worker takes them.
  await submit('4');
  await submit('5');
  pass(6000);
  await run('outbox');
  t.equal(published.splice(0).length, 2);
  queueIs.waiting = 2;
  await run('lost-messages');
  pass(20_000);
  await run('lost-messages');
  t.same(published, [], 'what is missing may still arrive');
  pass(60_000);
  await run('lost-messages');
  const urls = () => published.map(({ payload }) => ('url' in payload ? payload.url.slice(-1) : ''));
  t.same(urls(), ['1', '2', '3'], 'within two minutes, and nothing that is still there');
  queueIs.waiting = 5;
  pass(60_000);
  await run('lost-messages');
  await run('lost-messages');
  t.equal(published.length, 3, 'once');
});

/** Three tasks that were published, and are not in `published` any more. */
async function withThreeQueued(t: Test) {
  const world = await sweepsUnderTest(t, { window: 5 });
  const { agents, agentId, run, pass, published } = world;
  for (let n = 0; n < 3; n += 1)
    await agents.send(agentId, { kind: 'indexUrl', url: `https://a.example/${n}`, requestId: 'r' });
  pass(6000);
  await run('outbox');
  published.length = 0;
  return world;
}

t.test('a single look while workers take tasks proves nothing', async (t) => {
  const { run, pass, published, queueIs } = await withThreeQueued(t);
  pass(100_000);
  for (const waiting of [3, 1, 3, 0, 3, null, 3]) {
    queueIs.waiting = waiting;
    await run('lost-messages');
  }
  t.same(published, []);
  pass(900_000);
  await run('lost-messages');
  t.equal(published.length, 3, 'but none waits for ever');
});

t.test('overdue tasks behind the first thousand do not wait for those', async (t) => {
  const world = await sweepsUnderTest(t, { window: 1001, windowOfAll: 4000 });
  const { agents, agentId, run, pass, published, queueIs } = world;
  for (const url of pageUrls(1001)) await agents.send(agentId, { kind: 'indexUrl', url, requestId: 'r' });
  pass(6000);
  while (await run('outbox'));
  published.length = 0;
  queueIs.waiting = null;
  pass(1_000_000);
  await run('lost-messages');
  pass(15_000);
  await run('lost-messages');
  t.equal(new Set(published.map(({ taskId }) => taskId)).size, 1001);
  t.equal(published.length, 1001, 'each of them once');
});

t.test('tasks are not published again while there is no worker', async (t) => {
  const { run, pass, published, queueIs } = await withThreeQueued(t);
  queueIs.waiting = 3;
  pass(1_000_000);
  for (let n = 0; n < 20; n += 1) {
    await run('lost-messages');
    pass(15_000);
  }
  t.equal(published.length, 3, 'once, because they may be lost');
});

t.test('a queue inside of the process loses nothing while its worker starts', async (t) => {
  const world = await sweepsUnderTest(t, { window: 5, isQueueInside: true });
  for (let n = 0; n < 3; n += 1)
    await world.agents.send(world.agentId, {
      kind: 'indexUrl',
      url: `https://a.example/${n}`,
      requestId: 'r',
    });
  world.pass(6000);
  await world.run('outbox');
  world.published.length = 0;
  world.pass(1_000_000);
  for (let n = 0; n < 5; n += 1) await world.run('lost-messages');
  t.same(world.published, []);
});

t.test('a workspace leaves slots for others, and its agents take turns', async (t) => {
  const world = await sweepsUnderTest(t, { window: 4, windowOfAll: 8 });
  const { agents, sent, run, pass } = world;
  const names = new Map<string, string>();
  const named = async (name: string, workspaceId?: string) => {
    const id = await world.newAgent(workspaceId);
    names.set(id, name);
    return id;
  };
  const submit = async (agentId: string, count: number) => {
    for (let n = 0; n < count; n += 1)
      await agents.send(agentId, {
        kind: 'indexUrl',
        url: `https://a.example/${agentId}/${n}`,
        requestId: 'r',
      });
  };
  const admitted = () => sent.map(({ agentId }) => names.get(agentId));
  for (const name of ['first', 'second', 'third', 'fourth']) {
    await submit(await named(name), 3);
    pass(10);
  }
  await run('due');
  t.same(admitted(), ['first', 'first', 'first', 'second'], 'half of all places, for one workspace alone');
  await submit(await named('neighbour', await world.newWorkspace()), 1);
  t.same(admitted().slice(4), ['neighbour'], 'who comes later need not wait');

  const order: (string | undefined)[] = [];
  for (let n = 0; n < 6; n += 1) {
    const [next] = sent.splice(0, 1);
    if (!next) throw new Error('nothing is under way');
    pass(10);
    await agents.send(next.agentId, said.failed(next, 'give-up'));
    const before = sent.length;
    await run('due');
    order.push(...admitted().slice(before));
  }
  t.same(
    order,
    ['third', 'fourth', 'second', 'third', 'fourth'],
    'and the place of the neighbour stays free',
  );
});

t.test('agents that wait for the share of their workspace block no slot of another one', async (t) => {
  const { agents, store, run, pass, sent, newAgent, newWorkspace, agentId } = await sweepsUnderTest(t, {
    windowOfAll: 2,
  });
  const submit = (id: string) =>
    agents.send(id, { kind: 'indexUrl', url: `https://a.example/${id}`, requestId: 'r' });
  await submit(agentId);
  const crowd = await newWorkspace();
  for (let n = 0; n < 10; n += 1) await submit(await newAgent(crowd));
  t.equal(sent.length, 2, 'all places are taken');
  const [own] = sent;
  if (!own) throw new Error('nothing is under way');
  await agents.send(agentId, said.failed(own, 'retry'));
  pass(1001);
  t.equal((await store.tasks.agentsInLine(1_800_000_100_000, [crowd], 100)).length, 1);
  await run('due');
  t.match(sent.at(-1), { agentId, attempt: 2 });
});

t.test('setting a clock back does not keep leases from expiring', async (t) => {
  const { agents, agentId, store, run, pass, sent } = await sweepsUnderTest(t);
  const lookOn = async (seconds: number) => {
    for (let passed = 0; passed < seconds; passed += 4) {
      pass(4000);
      await run('leases');
    }
  };
  await lookOn(20);
  pass(-3_600_000);
  await agents.send(agentId, { kind: 'indexUrl', url: 'https://a.example/', requestId: 'r' });
  const [attempt] = sent.splice(0);
  if (!attempt) throw new Error('nothing was admitted');
  await agents.send(agentId, said.started(attempt));
  await lookOn(40);
  t.match((await store.operations.job(attempt.jobId))?.tasks, [{ attempts: 2 }]);
});

t.test('objects that cannot be deleted do not block others', async (t) => {
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

t.test('an object that is discarded again while it is being deleted is deleted again', async (t) => {
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

t.test(
  'deletes jobs that ended long ago with their tasks, in parts; open and recent ones stay',
  async (t) => {
    const { agents, agentId, workspaceId, run, pass, store, state } = await sweepsUnderTest(t);
    await addPages(store, agentId, pageUrls(250));
    const retrain = async () => {
      const { job } = await agents.send(agentId, { kind: 'retrain', requestId: 'r' });
      if (!job) throw new Error('a job was expected');
      return job.id;
    };
    const old = await retrain();
    while (await run('openings'));
    await agents.send(agentId, { kind: 'cancelJob', jobId: old });
    while (await run('openings'));
    const open = await retrain();
    t.equal(await run('old-jobs'), false, 'nothing is old enough');
    pass(31 * 86_400_000);
    const fresh = await retrain();
    await agents.send(agentId, { kind: 'cancelJob', jobId: fresh });
    while (await run('openings'));
    t.equal(await run('old-jobs'), true);
    t.ok(await store.operations.job(old), 'its tasks are too many for one piece');
    while (await run('old-jobs'));
    t.equal(await store.operations.job(old), null);
    t.strictSame(await store.operations.tasks(old, null, { limit: 1, after: null }), []);
    const left = await store.reads.jobs(agentId, { limit: 10, before: null });
    t.strictSame(
      left.map(({ id }) => id),
      [fresh, open],
    );
    t.equal((await state()).jobs, 2, 'and they are counted off');
    t.equal((await store.reads.agent(workspaceId, agentId))?.jobs, 2);
  },
);
