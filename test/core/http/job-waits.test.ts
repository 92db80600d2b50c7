import type { Test } from 'tap';
import { body, invalid, type List, refused, walk } from '../../support/api-client.js';
import { type Engine, onEachEngine, startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';

interface Job {
  id: string;
  type: string;
  status: string;
}

async function begun(t: Test, engine?: Engine) {
  const service = await startTestService(t, engine ? { engine } : {});
  const api = await service.client();
  const { id } = await api.agent();
  const path = `/agents/${id}`;
  const submit = async (n: number) => {
    const { jobId } = await body(
      api.post<{ jobId: string }>(`${path}/sources/url`, { url: `https://a.example/${n}` }),
    );
    return Number(jobId);
  };
  const end = (jobId: number, status: 'completed' | 'failed') =>
    service.store.turns.run(id, null, (turn) => turn.jobs.updateJob(jobId, { status, finishedAt: 1 }));
  return { service, api, path, agentId: id, submit, end };
}

await onEachEngine('lists jobs by status and type, with a total', async (t, engine) => {
  const { service, api, path, agentId, submit, end } = await begun(t, engine);
  const jobs: number[] = [];
  for (let n = 0; n < 6; n += 1) jobs.push(await submit(n));
  const [failed = 0, alsoFailed = 0, completed = 0, retrain = 0] = jobs;
  await end(failed, 'failed');
  await end(alsoFailed, 'failed');
  await end(completed, 'completed');
  await service.store.turns.run(agentId, null, (turn) => turn.jobs.updateJob(retrain, { type: 'retrain' }));

  const ids = async (query: string) => {
    const found = await walk<Job>(api, `${path}/jobs?${query}`, 2);
    const { pagination } = await body(api.get<List<Job>>(`${path}/jobs?${query}&limit=1`));
    t.equal(pagination.total, found.length, `the total of ${query}`);
    return found.map((job) => Number(job.id));
  };
  t.strictSame(await ids('status=failed'), [alsoFailed, failed]);
  t.strictSame(await ids('status=completed'), [completed]);
  t.strictSame(await ids('type=retrain'), [retrain]);
  t.strictSame(await ids('status=pending&type=index_url'), jobs.slice(4).reverse());
  t.strictSame(await ids('status=failed&type=retrain'), []);
  t.equal((await ids('x=y')).length, 6, 'all of them without a filter');
});

await onEachEngine('the training status names the last failed job on request', async (t, engine) => {
  const { service, api, path, agentId, submit, end } = await begun(t, engine);
  const [failed, later, embedding] = [await submit(1), await submit(2), await submit(3)];
  const asked = () => body(api.get<{ lastFailedJob: object | null }>(`${path}/train?include=lastFailedJob`));
  t.equal((await asked()).lastFailedJob, null);
  const {
    tasks: [task],
  } = await body(api.get<{ tasks: { id: string }[] }>(`${path}/jobs/${failed}`));
  const error = { code: 'FETCH_TIMEOUT' as const, message: 'The page took too long.' };
  await service.store.turns.run(agentId, null, async ({ jobs }) => {
    await jobs.updateTask(task?.id ?? '', { status: 'failed', error });
    await jobs.updateJob(failed, { status: 'failed', finishedAt: 7, tasksFailed: 1, tasksEnded: 1 });
    await jobs.updateJob(embedding, { type: 'embed', status: 'failed', finishedAt: 8 });
  });
  t.strictSame((await asked()).lastFailedJob, {
    id: String(failed),
    type: 'index_url',
    status: 'failed',
    finishedAt: 7,
    tasksFailedCount: 1,
    lastError: { ...error, target: 'https://a.example/1' },
  });
  t.notOk('lastFailedJob' in (await body(api.get<object>(`${path}/train`))), 'and to nobody else');
  await end(later, 'failed');
  t.match(
    await body(api.get(`${path}/train?include=lastFailedJob&wait=1`)),
    { activeJob: null, lastFailedJob: { id: String(later), lastError: null } },
    'the newest of them',
  );
  for (const include of ['', 'x', 'lastFailedJob,x', 'lastFailedJob&include=lastFailedJob'])
    invalid(t, await api.get(`${path}/train?include=${include}`), 'include');
});

t.test('the list of jobs rejects unknown states, types and cursors', async (t) => {
  const { api, path, submit } = await begun(t);
  await submit(1);
  await submit(2);
  for (const query of ['status=queued', 'status=', 'status=failed&status=failed'])
    invalid(t, await api.get(`${path}/jobs?${query}`), 'status');
  invalid(t, await api.get(`${path}/jobs?type=crawl&status=x`), 'status', 'type');
  const { pagination } = await body(api.get<List<Job>>(`${path}/jobs?limit=1`));
  invalid(t, await api.get(`${path}/jobs?cursor=${pagination.cursor}&status=pending`), 'cursor');
});

await onEachEngine('a wait for a job returns at its end, in any process', async (t, engine) => {
  const { service, api, path, submit, end } = await begun(t, engine);
  const other = await service.beside();
  const jobId = await submit(1);
  let answers = 0;
  const count = <T>(answer: T): T => {
    answers += 1;
    return answer;
  };
  const job = body(api.get<Job>(`${path}/jobs/${jobId}?wait=30`)).then(count);
  const training = body(api.get<{ status: string; activeJob: object | null }>(`${path}/train?wait=30`)).then(
    count,
  );
  await until('both to be asked for', async () => {
    const { status } = await body(api.get<Job>(`${path}/jobs/${jobId}?wait=1`));
    return status === 'pending';
  });
  t.equal(answers, 0, 'they wait for longer than the one that asked for a second');
  await other.store.turns.run(path.split('/')[2] ?? '', null, (turn) =>
    turn.jobs.updateJob(jobId, { status: 'failed', finishedAt: 1 }),
  );
  t.match(await job, { id: String(jobId), status: 'failed' });
  t.match(await training, { status: 'idle', activeJob: null });
  t.match(
    await body(api.get<Job>(`${path}/jobs/${jobId}?wait=30`)),
    { status: 'failed' },
    'an ended one at once',
  );
  await end(jobId, 'completed');
});

t.test('training ends with the last open job of the agent', async (t) => {
  const { api, path, submit, end } = await begun(t);
  const [first, second] = [await submit(1), await submit(2)];
  await end(second, 'completed');
  t.match(await body(api.get(`${path}/train?wait=1`)), {
    status: 'training',
    activeJob: { id: String(first) },
  });
  await end(first, 'completed');
  t.match(await body(api.get(`${path}/train?wait=30`)), { activeJob: null });
});

t.test('an agent that is deleted during the wait is not found', async (t) => {
  const { api, path, submit } = await begun(t);
  const jobId = await submit(1);
  const waiting = [api.get(`${path}/train?wait=30`), api.get(`${path}/jobs/${jobId}?wait=30`)];
  await until('it to be asked for', async () => (await api.get(`${path}/train?wait=1`)).status === 200);
  await body(api.delete(path));
  const [training, job] = await Promise.all(waiting);
  if (training) refused(t, training, 404, 'AGENT_NOT_FOUND');
  if (job) t.equal(job.status, 404);
});

t.test('a wait is 1 to 30 seconds', async (t) => {
  const { api, path, submit } = await begun(t);
  const jobId = await submit(1);
  for (const wait of ['0', '31', '1.5', '-1', 'x', '', '1&wait=1']) {
    invalid(t, await api.get(`${path}/train?wait=${wait}`), 'wait');
    invalid(t, await api.get(`${path}/jobs/${jobId}?wait=${wait}`), 'wait');
  }
});
