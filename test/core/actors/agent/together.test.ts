import { indexText } from '../../../../core/retrieval/index-text.js';
import { documentsOf } from '../../../contracts/documents.js';
import { actors, said } from '../../../support/agents.js';
import { createTables } from '../../../support/migrated-database.js';
import { emptyMysql, mysqlMissing } from '../../../support/mysql.js';
import { openCountedLine } from '../../../support/round-trips.js';
import t from '../../../support/t.js';

const newSource = (text: string) => ({
  kind: 'addSource' as const,
  unique: false,
  source: {
    sourceType: 'text_snippet' as const,
    title: text.slice(0, 20),
    content: indexText(text),
    bytes: text.length,
    metadata: {},
  },
});

t.test('waiting messages share a turn, and each sees the changes of the previous one', async (t) => {
  const { agents, agentId, state, settings } = await actors(t);
  const { version } = await state();
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      agents.send(agentId, { kind: 'configure', patch: { ai: { [`field${n}`]: n } } }),
    ),
  );
  t.same(
    replies.map((reply) => Object.keys(reply.settings.ai as object).length),
    Array.from({ length: 20 }, (_, n) => n + 1),
    'in the order in which they came',
  );
  t.equal(Object.keys((await settings())?.ai as object).length, 20);
  t.equal((await state()).version, version + 1, 'written once');
});

t.test('a long turn yields between two of its messages', async (t) => {
  const { agents, agentId } = await actors(t);
  const seen: string[] = [];
  const slow = (name: string) => ({
    kind: 'update' as const,
    get patch() {
      for (const end = performance.now() + 5; performance.now() < end; );
      if (seen.length === 0) setImmediate(() => seen.push('somebody else'));
      seen.push(name);
      return { name };
    },
  });
  await Promise.all(['first', 'second', 'third'].map((name) => agents.send(agentId, slow(name))));
  t.ok(
    seen.indexOf('somebody else') > 0 && seen.indexOf('somebody else') < seen.indexOf('second'),
    seen.join(', '),
  );
});

t.test('a rejected message changes nothing, and the others proceed', async (t) => {
  const { agents, agentId, state, store, storageBytes } = await actors(t, { storageBytes: 100 });
  const texts = ['a'.repeat(60), 'b'.repeat(60), 'c'.repeat(40), 'd'];
  const outcomes = await Promise.allSettled(texts.map((text) => agents.send(agentId, newSource(text))));
  t.same(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'kept' : outcome.reason.code)),
    ['kept', 'QUOTA_STORAGE_LIMIT', 'kept', 'QUOTA_STORAGE_LIMIT'],
  );
  t.match(await state(), { documents: { text_snippet: 2 }, knowledgeVersion: 2 });
  t.equal(await storageBytes(), 100);
  const kept = await documentsOf(store, agentId);
  t.same(kept.map(({ bytes }) => bytes).sort(), [40, 60]);
});

t.test('a message that breaks the shared turn fails alone', async (t) => {
  const { agents, agentId, state } = await actors(t);
  const broken = {
    kind: 'update' as const,
    get patch(): never {
      throw new Error('broken');
    },
  };
  const outcomes = await Promise.allSettled([
    agents.send(agentId, { kind: 'update', patch: { name: 'first' } }),
    agents.send(agentId, broken),
    agents.send(agentId, { kind: 'update', patch: { url: 'https://a.example/' } }),
  ]);
  t.same(
    outcomes.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  t.match(await state(), { name: 'first', url: 'https://a.example/' });
});

t.test('messages after a deletion fail with AgentGone', async (t) => {
  const { agents, agentId, workspaceId, store, storageBytes } = await actors(t);
  const outcomes = await Promise.allSettled([
    agents.send(agentId, newSource('kept until then')),
    agents.send(agentId, { kind: 'delete' }),
    agents.send(agentId, { kind: 'update', patch: { name: 'late' } }),
  ]);
  t.same(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'done' : outcome.reason.name)),
    ['done', 'done', 'AgentGone'],
  );
  t.equal(await store.reads.agent(workspaceId, agentId), null);
  t.equal(await storageBytes(), 0);
});

t.test('a task that starts and ends in one turn completes its job and starts the next tasks', async (t) => {
  const { agents, agentId, sent, store } = await actors(t, { window: 2 });
  const jobs = await Promise.all(
    [1, 2, 3, 4].map((n) =>
      agents.send(agentId, { kind: 'indexUrl', url: `https://a.example/${n}`, requestId: 'r' }),
    ),
  );
  const [one, two] = sent.splice(0);
  if (!one || !two) throw new Error('nothing was admitted');
  await Promise.all(
    [said.started(one), said.succeeded(one, 'one'), said.started(two), said.succeeded(two, 'two')].map(
      (message) => agents.send(agentId, message),
    ),
  );
  t.equal(sent.length, 2, 'room for the next ones');
  const seen = await Promise.all(jobs.map(({ job }) => store.reads.job(agentId, job.id)));
  t.same(
    seen.map((found) => [found?.job.status, found?.tasks[0]?.status]),
    [
      ['completed', 'completed'],
      ['completed', 'completed'],
      ['pending', 'queued'],
      ['pending', 'queued'],
    ],
  );
  t.ok(seen[0]?.job.startedAt);
  t.equal((await documentsOf(store, agentId, 'web_crawl')).length, 2);
});

t.test('a page that is deleted and added in one turn is the new one', async (t) => {
  const { agents, agentId, sent, store } = await actors(t);
  const add = () => agents.send(agentId, { kind: 'indexUrl', url: 'https://a.example/', requestId: 'r' });
  await add();
  const [first] = sent.splice(0);
  if (!first) throw new Error('nothing was admitted');
  const [, , { job }] = await Promise.all([
    agents.send(agentId, said.started(first)),
    agents.send(agentId, said.succeeded(first, 'first')),
    add(),
  ]);
  t.equal(job.type, 'retrain', 'it was there already');
  const [page] = await documentsOf(store, agentId);
  const [again] = sent.splice(0);
  if (!page || !again) throw new Error('nothing was kept');
  await Promise.all([
    agents.send(agentId, { kind: 'deleteDocument', documentId: page.id }),
    agents.send(agentId, said.succeeded(again, 'second')),
    add(),
  ]);
  const [third] = sent.splice(0);
  if (!third) throw new Error('nothing was admitted');
  await agents.send(agentId, said.succeeded(third, 'third'));
  const left = await documentsOf(store, agentId);
  t.equal(left.length, 1);
  t.not(left[0]?.id, page.id);
  t.equal((await store.reads.content(agentId, left[0]?.id ?? ''))?.join(''), 'third');
});

t.test('a request that is repeated in one turn is executed once', async (t) => {
  const { agents, agentId, state, store } = await actors(t);
  const once = {
    keyHash: 'a'.repeat(64),
    fingerprint: 'f',
    responseOf: ({ documentId }: { documentId: string }) => ({ status: 201, body: { documentId } }),
  };
  const outcomes = await Promise.allSettled(
    [1, 2, 3].map(() => agents.send(agentId, newSource('text'), once)),
  );
  t.same(
    outcomes.map((outcome) => (outcome.status === 'fulfilled' ? 'done' : outcome.reason.name)),
    ['done', 'KeyTaken', 'KeyTaken'],
  );
  const [first] = outcomes;
  t.match(await state(), { documents: { text_snippet: 1 } });
  t.match(await store.responses.find(agentId, once.keyHash), {
    response: {
      status: 201,
      body: { documentId: first?.status === 'fulfilled' ? first.value.documentId : null },
    },
  });
});

const skip = await mysqlMissing();

t.test('a turn needs no more database round trips for many events than for a few', { skip }, async (t) => {
  const line = await openCountedLine(t);
  const { url } = await emptyMysql(t);
  await createTables(url);
  const { agents, agentId, sent } = await actors(t, { window: 20, databaseUrl: line.through(url) });
  await Promise.all(
    Array.from({ length: 10 }, (_, n) =>
      agents.send(agentId, { kind: 'indexUrl', url: `https://a.example/${n}`, requestId: 'request' }),
    ),
  );
  const depthOf = async (messages: Parameters<typeof agents.send>[1][]): Promise<number> => {
    const asked = await line.during(() => Promise.all(messages.map((each) => agents.send(agentId, each))));
    return Math.max(...asked.map(({ wave }) => wave));
  };
  const pages = sent.splice(0);
  const ofFew = await depthOf(pages.slice(0, 3).map(said.started));
  t.equal(await depthOf(pages.slice(3).map(said.started)), ofFew, 'started');
  await Promise.all(pages.map((page) => agents.send(agentId, said.succeeded(page, page.taskId))));

  await agents.send(agentId, { kind: 'retrain', requestId: 'request' });
  const known = sent.splice(0);
  const ofFewKnown = await depthOf(known.slice(0, 3).map(said.unchanged));
  t.equal(await depthOf(known.slice(3, -1).map(said.unchanged)), ofFewKnown, 'unchanged pages');
  const ofLast = await depthOf(known.slice(-1).map(said.unchanged));
  t.ok(ofLast <= ofFewKnown + 1, 'the end of the job reads the settings of the agent');
});
