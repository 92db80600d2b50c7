import t, { type Test } from 'tap';
import type { TaskMessage } from '../../../../core/tasks/wire.js';
import { documentsOf } from '../../../contracts/documents.js';
import { actors, said } from '../../../support/agents.js';

/* A page that an open task is about to fetch is fetched once: later tasks for it end with that one. */

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
      (await agents.ask(agentId, { kind: 'indexUrl', url, requestId: 'request' })).job.id,
    async renew() {
      const { job } = await agents.ask(agentId, { kind: 'retrain', requestId: 'request' });
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
  await made.agents.ask(made.agentId, said.succeeded(made.next(), 'first text'));
  const [page] = await documentsOf(made.store, made.agentId);
  return { ...made, documentId: page?.id ?? '' };
}

t.test('a hundred retrains of a page that waits for its worker cost one fetch', async (t) => {
  const { agents, agentId, renew, next, sent, jobs, documentId } = await indexed(t);
  const ids: number[] = [];
  for (let n = 0; n < 100; n += 1) ids.push(await renew());
  const attempt = next();
  await agents.ask(agentId, said.started(attempt));
  t.same(
    (await jobs(...ids)).map(({ status }) => status),
    ids.map(() => 'running'),
    'the jobs of all run with it',
  );
  await agents.ask(agentId, said.succeeded(attempt, 'second text'));
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

t.test('a fetch that has begun may show what was before: it is not shared', async (t) => {
  const { agents, agentId, renew, next, jobs } = await indexed(t);
  const first = await renew();
  const begun = next();
  await agents.ask(agentId, said.started(begun));
  const second = await renew();
  const third = await renew();
  const fresh = next();
  t.equal(fresh.jobId, second);
  await agents.ask(agentId, said.succeeded(begun, 'second text'));
  t.same(
    (await jobs(first, second, third)).map(({ status }) => status),
    ['completed', 'pending', 'pending'],
  );
  await agents.ask(agentId, said.succeeded(fresh, 'third text'));
  t.same(
    (await jobs(second, third)).map(({ status }) => status),
    ['completed', 'completed'],
  );
});

t.test(
  'a fetch too short to tell of its start serves nobody who came after the page was asked for',
  async (t) => {
    const { agents, agentId, renew, next, sent, now, pass, jobs } = await indexed(t);
    const first = await renew();
    const before = await renew();
    const short = next();
    pass(5);
    const askedAtMs = now();
    const later = [await renew(), await renew()];
    t.same(sent, [], 'nobody knows yet that the page was asked for');
    await agents.ask(agentId, said.succeeded(short, 'second text', { askedAtMs }));
    t.same(
      (await jobs(first, before, ...later)).map(({ status }) => status),
      ['completed', 'completed', 'pending', 'pending'],
    );
    const fresh = next();
    t.equal(fresh.jobId, later[0], 'one fetch for all that came later');
    await agents.ask(agentId, said.succeeded(fresh, 'third text', { askedAtMs: now() + 1 }));
    t.same(
      (await jobs(...later)).map(({ status }) => status),
      ['completed', 'completed'],
    );
  },
);

t.test(
  'who came between the asking and the start shares one fetch with those who come after the start',
  async (t) => {
    const { agents, agentId, renew, next, sent, now, pass, jobs } = await indexed(t, { window: 5 });
    const first = await renew();
    const slow = next();
    pass(5);
    const askedAtMs = now();
    const late = await renew();
    await agents.ask(agentId, said.started(slow, { askedAtMs }));
    const fresh = next();
    t.equal(fresh.jobId, late, 'it does not wait for the end of a fetch that cannot serve it');
    const later = await renew();
    t.same(
      (await jobs(first, late, later)).map(({ status }) => status),
      ['running', 'pending', 'pending'],
    );
    await agents.ask(agentId, said.succeeded(slow, 'second text', { askedAtMs }));
    t.same(sent, []);
    await agents.ask(agentId, said.succeeded(fresh, 'third text', { askedAtMs: now() + 1 }));
    t.same(
      (await jobs(first, late, later)).map(({ status }) => status),
      ['completed', 'completed', 'completed'],
    );
  },
);

t.test('nor does its failure end them', async (t) => {
  const { agents, agentId, renew, next, now, pass, jobs } = await indexed(t);
  const first = await renew();
  const short = next();
  pass(5);
  const askedAtMs = now();
  const later = await renew();
  const { kind, event } = said.failed(short, 'give-up');
  await agents.ask(agentId, { kind, event: { ...event, askedAtMs } });
  t.same(
    (await jobs(first, later)).map(({ status }) => status),
    ['failed', 'pending'],
  );
  t.equal(next().jobId, later);
});

t.test('nor does one that was overtaken, with no attempt left', async (t) => {
  const options = { window: 5, maxAttempts: 1 };
  const { agents, agentId, submit, renew, next, now, pass, jobs } = await world(t, options);
  await submit();
  const one = next();
  await agents.ask(agentId, said.started(one));
  await submit();
  const other = next();
  await agents.ask(agentId, said.succeeded(one, 'first text'));
  const first = await renew();
  const short = next();
  pass(5);
  const askedAtMs = now();
  const later = await renew();
  await agents.ask(agentId, said.succeeded(other, 'second text'));
  const { kind, event } = said.unchanged(short);
  await agents.ask(agentId, { kind, event: { ...event, askedAtMs } });
  t.same(
    (await jobs(first, later)).map(({ status }) => status),
    ['completed', 'pending'],
  );
  t.equal(next().jobId, later);
});

t.test('a worker whose clock is slow causes one fetch more, not one for each', async (t) => {
  const { agents, agentId, renew, next, sent, now, pass, jobs } = await indexed(t);
  const first = await renew();
  const others: number[] = [];
  for (let n = 0; n < 3; n += 1) {
    pass(5);
    others.push(await renew());
  }
  pass(5);
  const slow = () => ({ askedAtMs: now() - 60_000 });
  await agents.ask(agentId, said.succeeded(next(), 'second text', slow()));
  pass(5);
  await agents.ask(agentId, said.succeeded(next(), 'third text', slow()));
  t.same(
    (await jobs(first, ...others)).map(({ status }) => status),
    ['completed', 'completed', 'completed', 'completed'],
  );
  t.same(sent, []);
});

t.test('a failure is shared like a success, after all the attempts of the one that leads', async (t) => {
  const { agents, agentId, renew, next, sent, pass, jobs, documentId } = await indexed(t, { maxAttempts: 2 });
  const first = await renew();
  const attempt = next();
  await agents.ask(agentId, said.started(attempt));
  const meanwhile = await renew();
  t.equal(sent.length, 1, 'its own fetch is on its way');
  sent.length = 0;
  await agents.ask(agentId, said.failed(attempt, 'retry'));
  const during = await renew();
  t.same(sent, [], 'the backoff of the page holds for later requests, too');
  pass(60_000);
  await agents.ask(agentId, { kind: 'admit', places: 10 });
  const again = next();
  t.match(again, { jobId: first, attempt: 2 });
  await agents.ask(agentId, said.failed(again, 'retry'));
  const failed = {
    status: 'failed',
    tasksCount: 1,
    tasksEnded: 1,
    tasksFailed: 1,
    tasks: [{ status: 'failed', documentId, attempts: 2, error: 'FETCH_FAILED' }],
  };
  // The newest one that was about to fetch led: the one that was on its way when the first failed.
  const [one, two, three] = await jobs(first, meanwhile, during);
  t.same(one, failed);
  t.equal(two?.status, 'pending');
  t.equal(three?.status, 'pending');
});

t.test('one that waits for room when another fails joins that one', async (t) => {
  const { agents, agentId, renew, next, sent, pass, jobs } = await indexed(t, { window: 1 });
  const first = await renew();
  const attempt = next();
  await agents.ask(agentId, said.started(attempt));
  const ids = [await renew(), await renew()];
  t.same(sent, [], 'there is no room');
  await agents.ask(agentId, said.failed(attempt, 'retry'));
  t.same(sent, [], 'and then they wait for its next attempt');
  pass(60_000);
  await agents.ask(agentId, { kind: 'admit', places: 10 });
  await agents.ask(agentId, said.succeeded(next(), 'second text'));
  t.same(
    (await jobs(first, ...ids)).map(({ status }) => status),
    ['completed', 'completed', 'completed'],
  );
});

t.test('a new page that is submitted twice is one document, which both jobs name', async (t) => {
  const { agents, agentId, submit, next, jobs, state } = await world(t);
  const ids = [await submit(), await submit()];
  await agents.ask(agentId, said.succeeded(next(), 'text'));
  const [one, two] = await jobs(...ids);
  t.equal(one?.status, 'completed');
  t.same(one, two);
  t.equal((await state()).documents.web_crawl, 1);
});

t.test('a page that is deleted cancels what was to renew it, and not what is to index it anew', async (t) => {
  const { agents, agentId, renew, submit, sent, jobs, documentId } = await indexed(t, { window: 5 });
  const renewals = [await renew(), await renew()];
  await agents.ask(agentId, { kind: 'deleteDocument', documentId });
  const anew = await submit();
  const [renewal, indexing] = sent.splice(0);
  if (!renewal || !indexing) throw new Error('expected two attempts');
  await agents.ask(agentId, said.succeeded(renewal, 'text'));
  await agents.ask(agentId, said.succeeded(indexing, 'text'));
  t.match(await jobs(...renewals, anew), [
    { status: 'completed', tasksEnded: 1, tasks: [{ status: 'cancelled' }] },
    { status: 'completed', tasksEnded: 1, tasks: [{ status: 'cancelled' }] },
    { status: 'completed', tasksEnded: 1, tasks: [{ status: 'completed' }] },
  ]);
});

t.test('deleting the agent cancels all of them', async (t) => {
  const { agents, agentId, renew, jobs, store } = await indexed(t);
  const ids = [await renew(), await renew()];
  await agents.ask(agentId, { kind: 'delete' });
  for (const agent of await store.remains.list(10)) await store.remains.clear(agent, 1_800_000_000);
  const found = await Promise.all(ids.map((id) => store.operations.job(id)));
  t.ok(found.every((job) => job === null || job.job.status === 'cancelled'));
  t.ok(jobs);
});

t.test('a job of many pages shares some of them; two processes agree', async (t) => {
  const { agents, twin, agentId, submit, next, sent, jobs, renew } = await world(t, { window: 3 });
  const other = twin();
  for (const path of ['1', '2', '3']) {
    await submit(`https://a.example/${path}`);
    await agents.ask(agentId, said.succeeded(next(), `text ${path}`));
  }
  const single = await submit('https://a.example/2');
  const { job } = await other.ask(agentId, { kind: 'retrain', requestId: 'request' });
  const third = await renew();
  const attempts = sent.splice(0);
  t.same(attempts.map(({ payload }) => (payload as { url: string }).url).sort(), [
    'https://a.example/1',
    'https://a.example/2',
    'https://a.example/3',
  ]);
  for (const [n, attempt] of attempts.entries()) {
    const by = n % 2 === 0 ? agents : other;
    await by.ask(agentId, n === 0 ? said.failed(attempt, 'give-up') : said.succeeded(attempt, `new ${n}`));
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
  await agents.ask(agentId, said.succeeded(first, 'second text'));
  const ended = async () => (await jobs(...ids)).filter(({ status }) => status === 'completed').length;
  t.equal(await ended(), 101);
  await agents.ask(agentId, said.succeeded(second, 'third text'));
  t.equal(await ended(), 103);
  t.ok(next);
});
