import type { Test } from 'tap';
import type { TaskMessage } from '../../../../core/tasks/wire.js';
import { documentsOf } from '../../../contracts/documents.js';
import { actors, said } from '../../../support/agents.js';
import t from '../../../support/t.js';

/* A task for a page for which the agent has an open task shares its fetch. */

const URL = 'https://a.example/page';

async function world(t: Test, options: Parameters<typeof actors>[1] = {}) {
  const made = await actors(t, options);
  const { agents, agentId, sent, store } = made;
  const next = (): TaskMessage => {
    const [message, ...more] = sent.splice(0);
    if (!message || more.length > 0)
      throw new Error(`expected one attempt, not ${more.length + (message ? 1 : 0)}`);
    return message;
  };
  return {
    ...made,
    next,
    submit: async (url = URL) =>
      (await agents.send(agentId, { kind: 'indexUrl', url, requestId: 'request' })).job.id,
    async renew() {
      const { job } = await agents.send(agentId, { kind: 'retrain', requestId: 'request' });
      if (!job) throw new Error('there is no page');
      return job.id;
    },
    async jobs(...ids: number[]) {
      return Promise.all(
        ids.map(async (id) => {
          const found = await store.operations.job(id);
          if (!found) throw new Error(`no job ${id}`);
          const { status, tasksCount, tasksEnded, tasksFailed } = found.job;
          const tasks = found.tasks.map((task) => ({
            status: task.status,
            documentId: task.documentId,
            attempts: task.attempts,
            error: task.error?.code ?? null,
          }));
          return { status, tasksCount, tasksEnded, tasksFailed, tasks };
        }),
      );
    },
  };
}

/** The same, with the page indexed. */
async function indexed(t: Test, options: Parameters<typeof actors>[1] = {}) {
  const made = await world(t, options);
  await made.submit();
  await made.agents.send(made.agentId, said.succeeded(made.next(), 'first text'));
  const [page] = await documentsOf(made.store, made.agentId);
  return { ...made, documentId: page?.id ?? '' };
}

t.test('a hundred retrains of a page that waits for its worker cost one fetch', async (t) => {
  const { agents, agentId, renew, next, sent, jobs, documentId } = await indexed(t);
  const ids: number[] = [];
  for (let n = 0; n < 100; n += 1) ids.push(await renew());
  const attempt = next();
  await agents.send(agentId, said.started(attempt));
  t.same(
    (await jobs(...ids)).map(({ status }) => status),
    ids.map(() => 'running'),
    'the jobs of all run with it',
  );
  await agents.send(agentId, said.succeeded(attempt, 'second text'));
  const ended = {
    status: 'completed',
    tasksCount: 1,
    tasksEnded: 1,
    tasksFailed: 0,
    tasks: [{ status: 'completed', documentId, attempts: 1, error: null }],
  };
  t.same(
    await jobs(...ids),
    ids.map(() => ended),
  );
  t.same(sent, [], 'nothing is left to fetch');
});

t.test('a retrain shares a fetch that is in progress', async (t) => {
  const { agents, agentId, renew, next, sent, jobs } = await indexed(t);
  const first = await renew();
  const attempt = next();
  await agents.send(agentId, said.started(attempt));
  const second = await renew();
  t.same(sent, [], 'no further fetch');
  await agents.send(agentId, said.succeeded(attempt, 'second text'));
  t.same(
    (await jobs(first, second)).map(({ status }) => status),
    ['completed', 'completed'],
  );
  await renew();
  next();
});

t.test('followers share the failure of their leader after its last attempt', async (t) => {
  const { agents, agentId, renew, next, sent, pass, jobs, documentId } = await indexed(t, { maxAttempts: 2 });
  const first = await renew();
  const attempt = next();
  await agents.send(agentId, said.started(attempt));
  const second = await renew();
  await agents.send(agentId, said.failed(attempt, 'retry'));
  const third = await renew();
  t.same(sent, [], 'the backoff of the page also applies to later requests');
  pass(60_000);
  await agents.send(agentId, { kind: 'admit', places: 10 });
  const again = next();
  t.match(again, { jobId: first, attempt: 2 });
  await agents.send(agentId, said.failed(again, 'retry'));
  const failed = {
    status: 'failed',
    tasksCount: 1,
    tasksEnded: 1,
    tasksFailed: 1,
    tasks: [{ status: 'failed', documentId, attempts: 2, error: 'FETCH_FAILED' }],
  };
  t.same(await jobs(first, second, third), [failed, failed, failed]);
});

t.test('a new page that is submitted twice is one document, which both jobs name', async (t) => {
  const { agents, agentId, submit, next, jobs, state } = await world(t);
  const ids = [await submit(), await submit()];
  await agents.send(agentId, said.succeeded(next(), 'text'));
  const [one, two] = await jobs(...ids);
  t.equal(one?.status, 'completed');
  t.same(one, two);
  t.equal((await state()).documents.web_crawl, 1);
});

t.test('a page that is deleted cancels what was to renew it, and not what is to index it anew', async (t) => {
  const { agents, agentId, renew, submit, sent, jobs, documentId } = await indexed(t, { window: 5 });
  const renewals = [await renew(), await renew()];
  await agents.send(agentId, { kind: 'deleteDocument', documentId });
  const anew = await submit();
  const [renewal, indexing] = sent.splice(0);
  if (!renewal || !indexing) throw new Error('expected two attempts');
  await agents.send(agentId, said.succeeded(renewal, 'text'));
  await agents.send(agentId, said.succeeded(indexing, 'text'));
  t.match(await jobs(...renewals, anew), [
    { status: 'completed', tasksEnded: 1, tasks: [{ status: 'cancelled' }] },
    { status: 'completed', tasksEnded: 1, tasks: [{ status: 'cancelled' }] },
    { status: 'completed', tasksEnded: 1, tasks: [{ status: 'completed' }] },
  ]);
});

t.test('deleting the agent cancels all of them', async (t) => {
  const { agents, agentId, renew, jobs, store } = await indexed(t);
  const ids = [await renew(), await renew()];
  await agents.send(agentId, { kind: 'delete' });
  for (const agent of await store.remains.list(0, 10)) await store.remains.clear(agent, 1_800_000_000);
  const found = await Promise.all(ids.map((id) => store.operations.job(id)));
  t.ok(found.every((job) => job === null || job.job.status === 'cancelled'));
  t.ok(jobs);
});

t.test('a job of many pages shares some of them; two processes agree', async (t) => {
  const { agents, twin, agentId, submit, next, sent, jobs, renew } = await world(t, { window: 3 });
  const other = twin();
  for (const path of ['1', '2', '3']) {
    await submit(`https://a.example/${path}`);
    await agents.send(agentId, said.succeeded(next(), `text ${path}`));
  }
  const single = await submit('https://a.example/2');
  const { job } = await other.send(agentId, { kind: 'retrain', requestId: 'request' });
  const third = await renew();
  const attempts = sent.splice(0);
  t.same(attempts.map(({ payload }) => (payload as { url: string }).url).sort(), [
    'https://a.example/1',
    'https://a.example/2',
    'https://a.example/3',
  ]);
  for (const [n, attempt] of attempts.entries()) {
    const by = n % 2 === 0 ? agents : other;
    await by.send(agentId, n === 0 ? said.failed(attempt, 'give-up') : said.succeeded(attempt, `new ${n}`));
  }
  const [one, all, again] = await jobs(single, job?.id ?? 0, third);
  t.match(one, { tasksCount: 1, tasksEnded: 1 });
  t.match(all, { status: 'completed', tasksCount: 3, tasksEnded: 3, tasksFailed: 1 });
  t.same(again, all);
  t.same(sent, []);
});

t.test('a result ends a bounded number of tasks in one turn', async (t) => {
  const { agents, agentId, renew, next, sent, jobs } = await indexed(t, { window: 5 });
  const ids: number[] = [];
  for (let n = 0; n < 103; n += 1) ids.push(await renew());
  t.equal(sent.length, 2, 'the last ones follow another');
  const [first, second] = sent.splice(0);
  if (!first || !second) throw new Error('expected two attempts');
  await agents.send(agentId, said.succeeded(first, 'second text'));
  const ended = async () => (await jobs(...ids)).filter(({ status }) => status === 'completed').length;
  t.equal(await ended(), 101);
  await agents.send(agentId, said.succeeded(second, 'third text'));
  t.equal(await ended(), 103);
  t.ok(next);
});
