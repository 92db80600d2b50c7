import type { Test } from 'tap';
import { body, invalid, type List, refused, walk } from '../../support/api-client.js';
import { addPages } from '../../support/pages.js';
import { startTestService } from '../../support/service.js';
import t from '../../support/t.js';

// No worker runs: jobs stay open, so that each state can be observed.
const service = await startTestService(t);
const NO_AGENT_JOB = 999_999_999;

interface Training {
  status: string;
  documentCount: number;
  lastTrainedAt: number | null;
  activeJob: {
    id: string;
    status: string;
    tasksCount: number;
    tasksCompletedCount: number;
    createdAt: number;
  } | null;
}

interface ListedJob {
  id: string;
  type: string;
  isRetrain: boolean;
}

async function fresh() {
  const api = await service.client();
  const { id } = await api.agent();
  const agent = `/agents/${id}`;
  return {
    api,
    agent,
    train: () => body(api.get<Training>(`${agent}/train`)),
    retrain: () => api.post<{ jobId: string | null; count: number; message: string }>(`${agent}/train`),
    submit: (url: string) =>
      body(api.post<{ jobId: string; isRetrain: boolean }>(`${agent}/sources/url`, { url })),
    knowsPages: (...urls: string[]) => addPages(service.store, id, urls),
  };
}

t.test('an agent is idle, then trained, then in training while a job is open', async (t) => {
  const { api, agent, train, submit } = await fresh();
  t.strictSame(await train(), { status: 'idle', documentCount: 0, lastTrainedAt: null, activeJob: null });
  await body(api.post(`${agent}/sources/text`, { title: 't', content: 'c' }));
  t.match(await train(), { status: 'trained', documentCount: 1, lastTrainedAt: Number, activeJob: null });
  await submit('https://example.com/1');
  const { jobId } = await submit('https://example.com/2');
  const status = await train();
  t.match(status, { status: 'training', documentCount: 1, lastTrainedAt: Number });
  const { createdAt, ...job } = status.activeJob ?? { createdAt: 0 };
  t.strictSame(
    job,
    { id: jobId, status: 'pending', tasksCount: 1, tasksCompletedCount: 0 },
    'the most recent one',
  );
  t.ok(Number.isInteger(createdAt) && createdAt > 1_600_000_000);
});

t.test('without an indexed page there is nothing to refresh', async (t) => {
  const { api, agent, train, retrain, submit } = await fresh();
  const nothing = async (t: Test) => {
    const { status, body } = await retrain();
    t.equal(status, 200);
    t.match(body, { jobId: null, count: 0, message: /\w/ });
    t.strictSame(Object.keys(body), ['jobId', 'count', 'message']);
  };
  await nothing(t);
  await body(api.post(`${agent}/sources/text`, { title: 't', content: 'c' }));
  await body(api.post(`${agent}/sources/qna`, { title: 't', questions: ['q'], answer: 'a' }));
  await nothing(t);
  t.equal((await train()).activeJob, null);
  await submit('https://example.com/not-yet-indexed');
  await nothing(t);
  t.equal((await body(api.get<List<ListedJob>>(`${agent}/jobs`))).pagination.total, 1);
});

t.test('refreshes all indexed pages in one job, and each call creates a new job', async (t) => {
  const { api, agent, knowsPages, retrain, submit } = await fresh();
  await body(api.post(`${agent}/sources/text`, { title: 't', content: 'c' }));
  await knowsPages('https://example.com/1', 'https://example.com/2', 'https://example.com/3');
  const { status, body: first } = await retrain();
  t.equal(status, 202);
  t.match(first, { jobId: /^[1-9]\d*$/, count: 3, message: /\w/ });
  const second = (await retrain()).body;
  t.ok(Number(second.jobId) > Number(first.jobId));
  const third = await submit('example.com/2');
  t.equal(third.isRetrain, true);

  const job = await body(api.get<{ tasks: object[] }>(`${agent}/jobs/${first.jobId}`));
  t.match(job, {
    ...{
      id: first.jobId,
      type: 'retrain',
      status: 'pending',
      isRetrain: true,
      tasksCount: 3,
      tasksCompletedCount: 0,
      tasksFailedCount: 0,
    },
    ...{ createdAt: Number, startedAt: null, finishedAt: null },
  });
  t.equal(job.tasks.length, 3);
  for (const task of job.tasks) {
    t.strictSame(Object.keys(task).sort(), ['attempts', 'documentId', 'id', 'lastError', 'status', 'target']);
    t.match(task, {
      target: /^https:\/\/example.com\/[123]$/,
      status: 'pending',
      documentId: String,
      lastError: null,
    });
  }
});

t.test('ignores a body', async (t) => {
  const { api, agent } = await fresh();
  for (const raw of ['{', '', '[]', 'x'.repeat(3_000_000)]) {
    const answer = await api.send('POST', `${agent}/train`, undefined, {
      raw,
      headers: { 'content-type': 'application/json' },
    });
    t.equal(answer.status, 200);
  }
});

t.test('lists jobs newest first, without their tasks, in pages', async (t) => {
  const { api, agent, submit } = await fresh();
  const submitted: string[] = [];
  for (let n = 0; n < 12; n += 1) submitted.unshift((await submit(`https://example.com/${n}`)).jobId);
  const jobs = await walk<ListedJob>(api, `${agent}/jobs`, 5);
  t.strictSame(
    jobs.map(({ id }) => id),
    submitted,
  );
  const list = await body(api.get<List<ListedJob>>(`${agent}/jobs?limit=1`));
  t.match(list.pagination, { cursor: String, hasMore: true, total: 12 });
  const fields = [
    'createdAt',
    'finishedAt',
    'id',
    'isRetrain',
    'startedAt',
    'status',
    'tasksCompletedCount',
    'tasksCount',
    'tasksFailedCount',
    'type',
  ];
  t.strictSame(Object.keys(list.data[0] ?? {}).sort(), fields);
  const { tasks, ...rest } = await body(api.get<{ tasks: [] }>(`${agent}/jobs/${submitted[0]}`));
  t.strictSame(rest, list.data[0]);
  t.equal(tasks.length, 1);
  invalid(t, await api.get(`${agent}/jobs?cursor=x&limit=x`), 'cursor', 'limit');
});

t.test('an unknown, foreign or malformed job id is not found', async (t) => {
  const [{ api, agent, submit }, other] = [await fresh(), await fresh()];
  const { jobId } = await other.submit('https://example.com');
  const own = (await submit('https://example.com')).jobId;
  for (const id of [
    ...[jobId, `0${own}`, `${own}.0`, `+${own}`, `${own}%20`, `${own}e0`],
    NO_AGENT_JOB,
    0,
    -1,
    'x',
    '%00',
    '9'.repeat(40),
    '9007199254740993',
    ' 1',
    '%201',
    "1'--",
  ]) {
    refused(t, await api.get(`${agent}/jobs/${id}`), 404, 'RESOURCE_NOT_FOUND');
  }
});

t.test('deleting an agent deletes its jobs', async (t) => {
  const { api, agent, submit } = await fresh();
  const { jobId } = await submit('https://example.com');
  await body(api.delete(agent));
  refused(t, await api.get(`${agent}/jobs/${jobId}`), 404, 'AGENT_NOT_FOUND');
  t.equal(await service.store.operations.job(Number(jobId)), null);
});
