import type { Test } from 'tap';
import { createInbox } from '../../../core/jobs/inbox.js';
import { systemClock } from '../../../core/ports/clock.port.js';
import { silentLog } from '../../../core/ports/log.port.js';
import type { Storage } from '../../../core/ports/storage.port.js';
import { indexText } from '../../../core/retrieval/index-text.js';
import { encodeExtraction, resultRef } from '../../../core/tasks/extraction-object.js';
import type { Extraction, TaskEvent, TaskMessage } from '../../../core/tasks/wire.js';
import { actors, eventBase } from '../../support/agents.js';
import t from '../../support/t.js';

/** An inbox over real actors and a storage in memory. */
async function inboxUnderTest(test: Test) {
  const world = await actors(test);
  const objects = new Map<string, Buffer>();
  const receive = createInbox({
    agents: world.agents,
    tasks: world.store.tasks,
    uploads: world.store.uploads,
    storage: { get: async (path) => objects.get(path) ?? null } as Storage,
    indexer: { index: async (text) => indexText(text) },
    deliveries: async () => {},
    clock: systemClock,
    leaseMs: 15_000,
    log: silentLog,
  });
  await world.agents.send(world.agentId, {
    kind: 'indexUrl',
    url: 'https://a.example/',
    requestId: 'request',
  });
  const [attempt] = world.sent.splice(0);
  if (!attempt) throw new Error('nothing was admitted');
  const task = async () => (await world.store.operations.job(attempt.jobId))?.tasks[0];
  return { ...world, receive, objects, attempt, task };
}

const stored = (message: TaskMessage, ref: string): TaskEvent => ({
  ...eventBase(message),
  kind: 'succeeded',
  outcome: { kind: 'stored', contentHash: 'hash', ref },
});

const extraction: Extraction = { title: 'Title', text: 'line one\nline two', chunks: [], metadata: {} };

t.test('a result that was sent through storage is stored unchanged', async (t) => {
  const { receive, objects, attempt, task, store, agentId } = await inboxUnderTest(t);
  const ref = resultRef(attempt.taskId, attempt.attempt);
  objects.set(ref, encodeExtraction(extraction));
  await receive(stored(attempt, ref));
  const done = await task();
  t.match(done, { status: 'completed' });
  t.equal((await store.reads.content(agentId, done?.documentId ?? ''))?.join(''), extraction.text);
});

t.test('an invalid index of a worker is recomputed, so that everything can be found', async (t) => {
  const { chunks, body } = indexText(extraction.text);
  const segment = Buffer.from(body).toString('base64');
  const sent: Record<string, Partial<Extraction>> = {
    'one of the version before': { chunks: chunks.map(({ at: _, size: __, ...rest }) => rest) },
    'one of this version': { chunks, segment },
    'one that says less than there is': { chunks: [], segment },
    'one that sends noise': { chunks, segment: Buffer.from('noise').toString('base64') },
    'one that cuts the segment off': { chunks, segment: segment.slice(0, 8) },
  };
  for (const [name, more] of Object.entries(sent)) {
    const { receive, attempt, task, store, agentId } = await inboxUnderTest(t);
    const outcome = {
      kind: 'extracted' as const,
      contentHash: 'hash',
      extraction: { ...extraction, ...more },
    };
    await receive({ ...eventBase(attempt), kind: 'succeeded', outcome });
    const documentId = (await task())?.documentId ?? '';
    const range = { documentId, first: 0, last: 0 };
    t.match(await store.reads.excerpts(agentId, [range]), [
      { title: 'Title', version: 1, start: 0, end: 17, text: extraction.text, isLast: true },
    ]);
    t.pass(name);
  }
});

t.test('a damaged result costs an attempt and is not delivered forever', async (t) => {
  for (const bytes of [
    '',
    '\n',
    'no json\ntext',
    '{"title":1}\ntext',
    '[]\ntext',
    '{"title":null,"chunks":[',
  ]) {
    const { receive, objects, attempt, task } = await inboxUnderTest(t);
    const ref = resultRef(attempt.taskId, attempt.attempt);
    objects.set(ref, Buffer.from(bytes));
    await receive(stored(attempt, ref));
    t.match(await task(), { status: 'pending', error: { code: 'RESULT_DAMAGED' } }, JSON.stringify(bytes));
  }
});

t.test('drops an event that names a foreign object, without touching the object', async (t) => {
  const { receive, objects, attempt, task, store } = await inboxUnderTest(t);
  const foreign = resultRef('01a1ff96-0e66-7373-bdbd-37a8c8400ea7', 1);
  objects.set(foreign, encodeExtraction(extraction));
  for (const ref of [foreign, `${resultRef(attempt.taskId, 1)}/../../x`, 'uploads/a/b'])
    await receive(stored(attempt, ref));
  t.match(await task(), { status: 'queued' });
  t.same(await store.uploads.discards(2_000_000_000, null, 10), []);
});

t.test('deletes the object of a result for a deleted agent', async (t) => {
  const { receive, objects, attempt, agents, agentId, store } = await inboxUnderTest(t);
  const ref = resultRef(attempt.taskId, attempt.attempt);
  objects.set(ref, encodeExtraction(extraction));
  await agents.send(agentId, { kind: 'delete' });
  await receive(stored(attempt, ref));
  const later = Math.floor(Date.now() / 1000) + 60;
  const discards = await store.uploads.discards(later, null, 10);
  t.ok(
    discards.some(({ path }) => path === ref),
    JSON.stringify(discards),
  );
});

/* A second delivery may store its result before its worker dies: only the queue reports it. */
for (const [name, end] of [
  ['has ended', ({ receive, attempt }) => receive(stored(attempt, resultRef(attempt.taskId, 1)))],
  ['has lost its agent', ({ agents, agentId }) => agents.send(agentId, { kind: 'delete' })],
] as [string, (world: Awaited<ReturnType<typeof inboxUnderTest>>) => Promise<unknown>][])
  t.test(`deletes the object of a dead-lettered attempt that ${name}`, async (t) => {
    const world = await inboxUnderTest(t);
    const { receive, objects, attempt, store } = world;
    const ref = resultRef(attempt.taskId, 1);
    objects.set(ref, encodeExtraction(extraction));
    await end(world);
    const discards = () => store.uploads.discards(2_000_000_000, null, 10);
    await store.uploads.discarded(await discards());
    await receive({ ...eventBase(attempt), kind: 'dead', reason: 'delivered too often' });
    t.same(
      (await discards()).map(({ path }) => path),
      [ref],
    );
  });

t.test('garbage on the queue changes nothing and is not delivered again', async (t) => {
  const { receive, attempt, task } = await inboxUnderTest(t);
  const event = stored(attempt, resultRef(attempt.taskId, 1));
  const garbage: unknown[] = [
    null,
    'text',
    [],
    {},
    { ...event, v: 99 },
    { ...event, kind: 'exploded' },
    { ...event, taskId: { $gt: '' } },
    { ...event, attempt: -1 },
    { ...event, outcome: { kind: 'extracted' } },
    { ...event, outcome: { kind: 'extracted', contentHash: 'x', extraction: { text: 5 } } },
    { ...event, kind: 'failed', failure: { code: 'NO_SUCH_CODE', message: 'x', verdict: 'retry' } },
    { ...event, kind: 'failed', failure: {} },
  ];
  for (const each of garbage) await receive(each as TaskEvent);
  t.match(await task(), { status: 'queued', attempts: 1, error: null });
  await receive({ ...event, agentId: '01a1ff96-0e66-7373-bdbd-37a8c8400ea7' });
  await receive({ ...event, kind: 'started', taskId: 'nobody' } as TaskEvent);
  t.match(await task(), { status: 'queued', attempts: 1, error: null });
});
