import { documentsOf } from '../../../contracts/documents.js';
import { type ActorsUnderTest, actors, said } from '../../../support/agents.js';
import t from '../../../support/t.js';

const submit = async ({ agents, agentId, sent }: ActorsUnderTest, ...paths: string[]) => {
  for (const path of paths)
    await agents.send(agentId, { kind: 'indexUrl', url: `https://a.example/${path}`, requestId: 'request' });
  return sent.splice(0);
};

const only = <T>(items: T[]): T => {
  const [item] = items;
  if (items.length !== 1 || item === undefined) throw new Error(`expected one, not ${items.length}`);
  return item;
};

t.test(
  'an agent has at most one window of tasks in flight, and each finished task starts the next',
  async (t) => {
    const world = await actors(t, { window: 2 });
    const { agents, agentId, sent } = world;
    const first = await submit(world, '1', '2', '3', '4');
    t.equal(first.length, 2);
    const [one, two] = first;
    if (!one || !two) return;
    await agents.send(agentId, said.started(one));
    t.same(sent, [], 'running tasks count');
    await agents.send(agentId, said.succeeded(one, 'text 1'));
    t.match(only(sent.splice(0)), { payload: { url: 'https://a.example/3' }, attempt: 1 });
    await agents.send(agentId, said.failed(two, 'give-up'));
    t.match(only(sent.splice(0)), { payload: { url: 'https://a.example/4' } });
    t.equal((await world.state()).nextDueAtMs, null, 'nothing waits any more');
  },
);

t.test('an agent that gets no place keeps its own in the line, whatever else it is asked for', async (t) => {
  const world = await actors(t, { window: 5, windowOfAll: 1 });
  const { agents, agentId: busy, newAgent, store, now, pass } = world;
  const [first, second] = [await newAgent(), await newAgent()];
  const ask = (agentId: string, path: string) => submit({ ...world, agentId }, path);
  const line = async () =>
    (await store.tasks.agentsInLine(now(), [], 10)).map(({ agentId }) => (agentId === first ? 1 : 2));
  const held = only(await ask(busy, 'holds the only place'));
  t.same(await ask(first, '1'), []);
  pass(10);
  t.same(await ask(second, '1'), []);
  pass(10);
  t.same(await ask(first, '2'), []);
  t.same(await line(), [1, 2], 'more pages of the first do not send it to the end');
  await agents.send(busy, said.succeeded(held, 'text'));
  await agents.send(first, { kind: 'admit', places: 1 });
  t.equal(world.sent.splice(0).length, 1);
  t.same(await line(), [2, 1], 'what it gets does');
});

t.test('duplicate events, late events and events of finished attempts change nothing', async (t) => {
  const world = await actors(t);
  const { agents, agentId, store } = world;
  const attempt = only(await submit(world, 'page'));
  await agents.send(agentId, said.started(attempt));
  await agents.send(agentId, said.succeeded(attempt, 'the text'));
  const settled = await store.operations.job(attempt.jobId);
  await agents.send(agentId, said.succeeded(attempt, 'another text'));
  await agents.send(agentId, said.failed(attempt, 'give-up'));
  await agents.send(agentId, said.started(attempt));
  await agents.send(agentId, said.dead(attempt));
  t.same(await store.operations.job(attempt.jobId), settled);
  t.match(settled?.job, { status: 'completed', tasksEnded: 1, tasksFailed: 0 });
  t.equal((await world.state()).documents.web_crawl, 1);
  t.equal(await world.storageBytes(), Buffer.byteLength('the text'));
});

t.test(
  'a failed attempt is retried after its backoff, and events of the old attempt are ignored',
  async (t) => {
    const world = await actors(t, { maxAttempts: 3 });
    const { agents, agentId, sent, pass, store } = world;
    const first = only(await submit(world, 'page'));
    await agents.send(agentId, said.failed(first, 'retry'));
    await agents.send(agentId, { kind: 'admit', places: 10 });
    t.same(sent, [], 'not before the backoff');
    t.match((await store.operations.job(first.jobId))?.tasks, [
      { status: 'pending', error: { code: 'FETCH_FAILED' } },
    ]);
    pass(1001);
    t.match(
      await store.tasks.agentsInLine(1_800_000_001_001, [], 10),
      [{ agentId }],
      'the due sweep finds it',
    );
    await agents.send(agentId, { kind: 'admit', places: 10 });
    const second = only(sent.splice(0));
    t.equal(second.attempt, 2);
    await agents.send(agentId, said.succeeded(first, 'from the attempt that was given up'));
    t.equal((await world.state()).documents.web_crawl, 0);
    await agents.send(agentId, said.failed(second, 'retry', 60_000));
    pass(59_000);
    await agents.send(agentId, { kind: 'admit', places: 10 });
    t.same(sent, [], 'the site asked for a minute');
    pass(1001);
    await agents.send(agentId, { kind: 'admit', places: 10 });
    await agents.send(agentId, said.failed(only(sent.splice(0)), 'retry'));
    t.match(await store.operations.job(first.jobId), {
      job: { status: 'failed' },
      tasks: [{ status: 'failed', attempts: 3 }],
    });
  },
);

t.test('the lease of a silent worker expires', async (t) => {
  const world = await actors(t);
  const { agents, agentId, sent, happened, pass, store } = world;
  const first = only(await submit(world, 'page'));
  pass(2000);
  await agents.send(agentId, said.started(first));
  t.same(happened.splice(0), [{ kind: 'attemptTaken', type: 'crawl_page', waitedMs: 2000 }]);
  pass(12_000);
  t.ok(await store.tasks.extendLease(first.taskId, 1, 1_800_000_029_000), 'a sign of life');
  pass(10_000);
  await agents.send(agentId, { kind: 'expireLeases' });
  t.match((await store.operations.job(first.jobId))?.tasks, [{ status: 'running' }]);
  pass(6000);
  t.same(await store.tasks.agentsWithStalledTasks(1_800_000_030_000, 10), [agentId]);
  await agents.send(agentId, { kind: 'expireLeases' });
  t.equal(only(sent.splice(0)).attempt, 2, 'the next attempt starts at once: there is nothing to wait for');
  t.notOk(
    await store.tasks.extendLease(first.taskId, 1, 1_900_000_000_000),
    'the old attempt has no lease any more',
  );
  t.same(happened, [{ kind: 'leaseExpired', type: 'crawl_page' }]);
});

t.test('a dead letter costs an attempt; the second one fails its task', async (t) => {
  const world = await actors(t, { maxAttempts: 4 });
  const { agents, agentId, sent, pass, store } = world;
  const first = only(await submit(world, 'poison'));
  await agents.send(agentId, said.dead(first));
  t.match((await store.operations.job(first.jobId))?.tasks, [
    { status: 'pending', error: { code: 'WORKER_CRASHED' } },
  ]);
  pass(1001);
  await agents.send(agentId, { kind: 'admit', places: 10 });
  await agents.send(agentId, said.dead(only(sent.splice(0))));
  t.match(await store.operations.job(first.jobId), {
    job: { status: 'failed' },
    tasks: [{ status: 'failed', attempts: 2, error: { code: 'WORKER_CRASHED' } }],
  });
});

t.test('results that earlier attempts may have stored are deleted when the task ends', async (t) => {
  const world = await actors(t);
  const { agents, agentId, sent, pass, store } = world;
  const first = only(await submit(world, 'page'));
  await agents.send(agentId, said.started(first));
  pass(15_001);
  await agents.send(agentId, { kind: 'expireLeases' });
  pass(1001);
  await agents.send(agentId, { kind: 'admit', places: 10 });
  await agents.send(agentId, said.succeeded(only(sent.splice(0)), 'the text'));
  const discarded = (await store.uploads.discards(2_000_000_000, null, 10)).map(({ path }) => path);
  t.ok(discarded.includes(`results/${first.taskId}/1`));
});

t.test('no retrain starts while the previous one is running', async (t) => {
  const world = await actors(t);
  const { agents, agentId, sent, pass, store } = world;
  await agents.send(agentId, said.succeeded(only(await submit(world, 'page')), 'the text'));
  await agents.send(agentId, { kind: 'configure', patch: { training: { autoRetrainEnabled: true } } });
  const retrain = async () => {
    pass(3_600_000);
    await agents.send(agentId, { kind: 'autoRetrain', intervalSeconds: 3600 });
    return (await store.reads.jobs(agentId, { limit: 10, before: null })).filter(({ isRetrain }) => isRetrain)
      .length;
  };
  t.equal(await retrain(), 1);
  t.equal(await retrain(), 1, 'the first one is not done');
  await agents.send(agentId, said.succeeded(only(sent.splice(0)), 'the text'));
  t.equal(await retrain(), 2);
  const rows = await store.audit.page(
    world.workspaceId,
    { limit: 10, before: null },
    { actor: null, action: null, agentId, from: null, to: null },
  );
  const bySchedule = { actor: { type: 'system' }, action: 'retrain', target: { type: 'job' } };
  t.match(rows, [bySchedule, bySchedule], 'the audit log has one row for each run');
  t.equal(rows.length, 2);
});

t.test(
  'content that exceeds the allowance fails its task and charges nothing; a retrain keeps the old text',
  async (t) => {
    const world = await actors(t, { storageBytes: 100 });
    const { agents, agentId, store } = world;
    await agents.send(agentId, said.succeeded(only(await submit(world, 'small')), 'x'.repeat(60)));
    const big = only(await submit(world, 'big'));
    await agents.send(agentId, said.succeeded(big, 'y'.repeat(41)));
    t.match((await store.operations.job(big.jobId))?.tasks, [
      { status: 'failed', error: { code: 'QUOTA_STORAGE_LIMIT' } },
    ]);
    t.equal(await world.storageBytes(), 60);
    const again = only(await submit(world, 'small'));
    await agents.send(agentId, said.succeeded(again, 'z'.repeat(101)));
    t.match((await store.operations.job(again.jobId))?.tasks, [
      { status: 'failed', error: { code: 'QUOTA_STORAGE_LIMIT' } },
    ]);
    const [page] = await documentsOf(store, agentId, 'web_crawl');
    t.equal((await store.reads.content(agentId, page?.id ?? ''))?.join(''), 'x'.repeat(60));
    const shrunk = only(await submit(world, 'small'));
    await agents.send(agentId, said.succeeded(shrunk, 'short'));
    t.equal(await world.storageBytes(), 5, 'a shorter text gives bytes back');
  },
);

t.test('unconfirmed attempts are published again, also after a restart', async (t) => {
  const world = await actors(t);
  const { agents, agentId, store } = world;
  const attempt = only(await submit(world, 'page'));
  const lost = async () => (await store.tasks.unpublished(1_900_000_000_000, 10)).map(({ id }) => id);
  t.same(await lost(), [attempt.taskId]);
  await store.tasks.markPublished([{ taskId: attempt.taskId, attempt: 2 }]);
  t.same(await lost(), [attempt.taskId], 'a confirmation of another attempt does not count');
  await store.tasks.markPublished([attempt]);
  t.same(await lost(), []);
  await agents.send(agentId, said.started(attempt));
  t.equal(await store.tasks.forgetPublished(), 1);
  t.same(await lost(), [attempt.taskId], 'running tasks, too');
  t.match(
    (await store.operations.job(attempt.jobId))?.tasks,
    [{ status: 'queued', attempts: 1 }],
    'it is the same attempt',
  );
});

t.test('deleting the agent deletes its jobs and releases its storage', async (t) => {
  const world = await actors(t);
  const { agents, agentId, store } = world;
  await agents.send(agentId, said.succeeded(only(await submit(world, 'kept')), 'some text'));
  const open = only(await submit(world, 'open'));
  await agents.send(agentId, { kind: 'delete' });
  t.equal(await store.operations.job(open.jobId), null);
  t.same(await store.remains.list(0, 10), [], 'all of it at once, as there is little');
  t.equal(await world.storageBytes(), 0);
  t.equal((await store.workspaces.find(world.workspaceId))?.agents, 0);
  await t.rejects(agents.send(agentId, said.succeeded(open, 'late')), { name: 'AgentGone' });
});
