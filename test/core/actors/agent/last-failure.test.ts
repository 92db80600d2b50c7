import type { Test } from 'tap';
import type { JsonObject } from '../../../../core/schemas/json.js';
import { type TaskMessage, WIRE_VERSION } from '../../../../core/tasks/wire.js';
import { documentsOf } from '../../../contracts/documents.js';
import { actors, said } from '../../../support/agents.js';
import t from '../../../support/t.js';

const NOW = 1_800_000_000;

/** An agent with one indexed page and a function that refreshes it. */
async function indexed(t: Test) {
  const world = await actors(t, { storageBytes: 100, maxAttempts: 2 });
  const { agents, agentId, sent, store } = world;
  const next = (): TaskMessage => {
    const [message] = sent.splice(0);
    if (!message) throw new Error('nothing was admitted');
    return message;
  };
  await agents.send(agentId, { kind: 'indexUrl', url: 'https://a.example/page', requestId: 'request' });
  const first = said.succeeded(next(), 'the text');
  first.event.outcome.extraction.metadata = { etag: '"1"' };
  await agents.send(agentId, first);
  return {
    ...world,
    next,
    async renewal(): Promise<TaskMessage> {
      await agents.send(agentId, { kind: 'retrain', requestId: 'request' });
      return next();
    },
    async page() {
      const [row] = await documentsOf(store, agentId);
      if (!row) throw new Error('the page is gone');
      const content = await store.reads.content(agentId, row.id);
      return { text: content?.join(''), metadata: row.metadata, lastCrawledAt: row.lastCrawledAt };
    },
  };
}

const unchanged = (
  { taskId, jobId, agentId, attempt }: TaskMessage,
  contentHash?: string,
  metadata?: JsonObject,
) => ({
  kind: 'taskSucceeded' as const,
  event: {
    ...{ v: WIRE_VERSION, taskId, jobId, agentId, attempt, worker: 'test' },
    kind: 'succeeded' as const,
    ref: null,
    outcome: { kind: 'unchanged' as const, contentHash, metadata },
  },
});

const noted = { code: 'FETCH_FAILED', message: 'No.', at: NOW };

t.test(
  'a page that cannot be refreshed keeps its content and shows the failure until it is unchanged again',
  async (t) => {
    const { agents, agentId, renewal, page, pass } = await indexed(t);
    const before = await page();
    await agents.send(agentId, said.failed(await renewal(), 'give-up'));
    t.same(await page(), { ...before, metadata: { etag: '"1"', lastFailure: noted } });
    pass(60_000);
    await agents.send(agentId, said.failed(await renewal(), 'give-up'));
    t.match((await page()).metadata, { lastFailure: { at: NOW + 60 } }, 'the last one counts');
    const again = await renewal();
    const known = { contentHash: 'hash of the text', etag: '"1"' };
    t.same(again.payload, { url: 'https://a.example/page', known }, 'what is stored is still known');
    await agents.send(agentId, unchanged(again));
    t.same(await page(), { ...before, lastCrawledAt: NOW + 60 });
  },
);

t.test('refreshed content shows no failure', async (t) => {
  const { agents, agentId, renewal, page } = await indexed(t);
  await agents.send(agentId, said.failed(await renewal(), 'give-up'));
  await agents.send(agentId, said.succeeded(await renewal(), 'another text'));
  t.match(await page(), { text: 'another text', metadata: { lastFailure: undefined } });
});

t.test('only the last attempt counts as a failure', async (t) => {
  const { agents, agentId, renewal, page, pass, next } = await indexed(t);
  await agents.send(agentId, said.failed(await renewal(), 'retry'));
  t.same((await page()).metadata, { etag: '"1"' });
  pass(2000);
  await agents.send(agentId, { kind: 'admit', places: 10 });
  await agents.send(agentId, said.failed(next(), 'retry'));
  t.match((await page()).metadata, { lastFailure: { code: 'FETCH_FAILED', at: NOW + 2 } });
});

t.test('new content that exceeds the allowance counts as a failed refresh', async (t) => {
  const { agents, agentId, renewal, page } = await indexed(t);
  await agents.send(agentId, said.succeeded(await renewal(), 'x'.repeat(200)));
  t.match(await page(), { text: 'the text', metadata: { lastFailure: { code: 'QUOTA_STORAGE_LIMIT' } } });
});

t.test('a failed first attempt creates no source, and does not restore a deleted one', async (t) => {
  const { agents, agentId, store, renewal, next, state } = await indexed(t);
  await agents.send(agentId, { kind: 'indexUrl', url: 'https://a.example/other', requestId: 'request' });
  await agents.send(agentId, said.failed(next(), 'give-up'));
  t.equal((await state()).documents.web_crawl, 1);
  const late = await renewal();
  const [row] = await documentsOf(store, agentId);
  await agents.send(agentId, { kind: 'deleteDocument', documentId: row?.id ?? '' });
  await agents.send(agentId, said.failed(late, 'give-up'));
  t.equal((await state()).documents.web_crawl, 0);
});

t.test(
  'unchanged refers to the current content of the page, not to that at the creation of the task',
  async (t) => {
    const { agents, agentId, renewal, page, pass, next } = await indexed(t);
    const first = await renewal();
    await agents.send(agentId, said.started(first));
    // A fetch takes 100 jobs; the next one fetches the page again.
    for (let jobs = 0; jobs < 100; jobs += 1)
      await agents.send(agentId, { kind: 'retrain', requestId: 'request' });
    const second = await renewal();
    await agents.send(agentId, said.succeeded(first, 'another text'));
    await agents.send(agentId, unchanged(second, 'hash of the text'));
    t.match(await page(), { text: 'another text', metadata: { lastFailure: undefined } });
    pass(2000);
    await agents.send(agentId, { kind: 'admit', places: 10 });
    const anew = next();
    t.match(anew, { taskId: second.taskId, attempt: 2, payload: { url: 'https://a.example/page' } });
    t.notOk('known' in anew.payload, 'it is read without comparing');
    await agents.send(agentId, said.succeeded(anew, 'the text'));
    t.match(await page(), { text: 'the text' });
    const third = await renewal();
    await agents.send(agentId, unchanged(third, 'hash of the text'));
    t.match(await page(), { text: 'the text', lastCrawledAt: NOW + 2 });
  },
);

t.test('an unchanged page is requested with the validators of its last response', async (t) => {
  const { agents, agentId, renewal, page } = await indexed(t);
  const finalUrl = 'https://a.example/page';
  const knownThen = async () => {
    const task = await renewal();
    return { task, known: (task.payload as { known?: object }).known };
  };
  const first = await knownThen();
  await agents.send(agentId, unchanged(first.task, 'hash of the text', { finalUrl, etag: '"v2"' }));
  const second = await knownThen();
  t.same(second.known, { contentHash: 'hash of the text', etag: '"v2"', url: finalUrl });
  await agents.send(agentId, unchanged(second.task, 'hash of the text'));
  const third = await knownThen();
  t.same(third.known, second.known, 'a worker of an earlier version says nothing of them');
  const before = (await page()).metadata;
  await agents.send(agentId, unchanged(third.task, 'hash of the text', { finalUrl, lastModified: 'Mon' }));
  const fourth = await knownThen();
  t.same(fourth.known, { contentHash: 'hash of the text', lastModified: 'Mon', url: finalUrl });
  const validators = { finalUrl, lastModified: 'Mon' };
  t.same((await page()).metadata, { ...before, validators }, 'and nothing else is changed');
  await agents.send(agentId, said.succeeded(fourth.task, 'another text'));
  t.notOk('validators' in (await page()).metadata, 'those of a new content are its own');
});
