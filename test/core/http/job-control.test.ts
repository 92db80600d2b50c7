import type { Test } from 'tap';
import { body, type List, refused } from '../../support/api-client.js';
import { addPages, pageUrls } from '../../support/pages.js';
import { type Engine, onEachEngine, startTestService } from '../../support/service.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';

/* Operations on existing jobs. No worker runs: jobs stay open until the test ends their tasks. */

interface Job {
  id: string;
  type: string;
  status: string;
  tasksCount: number;
  tasksCompletedCount: number;
  finishedAt: number | null;
  tasks: { id: string; target: string; status: string; attempts: number }[];
}
interface Retried {
  jobId: string | null;
  count: number;
  message: string;
}

async function begun(t: Test, engine?: Engine, options: object = {}) {
  const service = await startTestService(t, { ...options, ...(engine ? { engine } : {}) });
  const { id: workspaceId, apiKey } = await service.workspace();
  const api = service.api(apiKey);
  const { id: agentId } = await api.agent();
  const path = `/agents/${agentId}`;
  const submit = async (url: string) =>
    (await body(api.post<{ jobId: string }>(`${path}/sources/url`, { url }))).jobId;
  const job = (jobId: string) => body(api.get<Job>(`${path}/jobs/${jobId}`));
  const cancel = (jobId: string) => body(api.post<Job>(`${path}/jobs/${jobId}/cancel`));
  const retry = (jobId: string) => api.post<Retried>(`${path}/jobs/${jobId}/retry`);
  const train = async () => (await body(api.post<{ jobId: string }>(`${path}/train`))).jobId;
  const ended = (jobId: string) =>
    until('the job to end', async () => {
      const found = await job(jobId);
      return found.finishedAt !== null && found;
    });
  /** Fails all attempts of these tasks. */
  const fail = (jobId: string, targets: readonly string[], ofAll: number) =>
    service.store.turns.run(agentId, null, async (turn) => {
      for (const task of await turn.jobs.openTasks(Number(jobId), 1000))
        if (targets.includes(task.target))
          await turn.jobs.updateTask(task.id, {
            status: 'failed',
            error: { code: 'FETCH_FAILED', message: 'No.' },
          });
        else await turn.jobs.updateTask(task.id, { status: 'completed' });
      await turn.jobs.updateJob(Number(jobId), {
        status: targets.length === ofAll ? 'failed' : 'completed',
        tasksEnded: ofAll,
        tasksFailed: targets.length,
        finishedAt: 1,
      });
    });
  return { service, api, workspaceId, agentId, path, submit, job, cancel, retry, train, ended, fail };
}

await onEachEngine('a cancelled job ends with all its tasks and frees their slots', async (t, engine) => {
  const { service, agentId, submit, job, cancel, train } = await begun(t, engine, {
    settings: { jobs: { windowPerAgent: 2 } },
  });
  await addPages(service.store, agentId, pageUrls(5));
  const jobId = await train();
  const next = await submit('https://b.example');
  t.match(await job(next), { tasks: [{ attempts: 0 }] }, 'it waits for room');
  const cancelled = await cancel(jobId);
  t.match(cancelled, {
    id: jobId,
    status: 'cancelled',
    tasksCount: 5,
    tasksCompletedCount: 5,
    finishedAt: Number,
  });
  t.ok((await job(jobId)).tasks.every(({ status }) => status === 'cancelled'));
  t.match(await job(next), { status: 'pending', tasks: [{ attempts: 1 }] }, 'now it is on its way');
  t.strictSame(await cancel(jobId), cancelled, 'once more changes nothing');
});

await onEachEngine(
  'a job with many tasks is cancelled completely, even if only some of them exist',
  async (t, engine) => {
    const window = 2;
    const { service, agentId, ended, cancel, train, path, api } = await begun(t, engine, {
      settings: { jobs: { windowPerAgent: window } },
    });
    await addPages(service.store, agentId, pageUrls(350));
    const jobId = await train();
    await until('some tasks behind the first hundred', async () => {
      const { pagination } = await body(api.get<List<object>>(`${path}/jobs/${jobId}/tasks`));
      return pagination.total > 100;
    });
    await cancel(jobId);
    const job = await ended(jobId);
    t.equal(job.status, 'cancelled');
    t.equal(job.tasksCompletedCount, job.tasksCount);
    const total = async (query: string) =>
      (await body(api.get<List<object>>(`${path}/jobs/${jobId}/tasks?${query}`))).pagination.total;
    t.equal(await total('status=cancelled'), job.tasksCount);
    t.equal(await total('status=pending'), 0);
    let started = 0;
    for (let cursor: string | null = ''; cursor !== null; ) {
      const query: string = cursor && `&cursor=${encodeURIComponent(cursor)}`;
      const page = await body(
        api.get<List<{ attempts: number }>>(`${path}/jobs/${jobId}/tasks?limit=100${query}`),
      );
      started += page.data.filter(({ attempts }) => attempts > 0).length;
      cursor = page.pagination.cursor;
    }
    t.equal(started, window, 'none was started since');
  },
);

await onEachEngine('another job that waits for the same page fetches it itself', async (t, engine) => {
  const { submit, job, cancel, service, agentId } = await begun(t, engine, {
    settings: { jobs: { windowPerAgent: 1 } },
  });
  await submit('https://a.example/in-the-way');
  const first = await submit('https://a.example/same');
  const second = await submit('https://a.example/same');
  const third = await submit('https://a.example/same');
  await cancel(first);
  const followers = await service.store.turns.run(agentId, null, async (turn) => {
    const [heir] = (await turn.jobs.waiting(10)).filter(({ target }) => target.endsWith('/same'));
    return heir
      ? [String(heir.jobId), ...(await turn.jobs.followers(heir.id)).map(({ jobId }) => String(jobId))]
      : [];
  });
  t.strictSame(followers.result, [second, third], 'the second leads, and the third follows');
  t.match(await job(second), { status: 'pending' });
});

await onEachEngine('a cancelled file releases its storage', async (t, engine) => {
  const { service, workspaceId, agentId, cancel, path, api } = await begun(t, engine);
  const { files } = await body(
    api.post<{ files: { storagePath: string; fileName: string; uploadUrl: string }[] }>(
      `${path}/sources/file/upload-url`,
      {
        files: [{ fileName: 'a.txt' }],
      },
    ),
  );
  const [file] = files;
  if (!file) throw new Error('an upload was expected');
  await fetch(file.uploadUrl, {
    method: 'PUT',
    body: 'twelve bytes',
    headers: { 'content-type': 'text/plain' },
  });
  const { storagePath, fileName } = file;
  const { jobId } = await body(
    api.post<{ jobId: number }>(`${path}/sources/file`, { files: [{ storagePath, fileName }] }),
  );
  const used = async () => (await service.store.workspaces.find(workspaceId))?.storageBytes;
  t.equal(await used(), 12);
  t.match(await cancel(String(jobId)), { status: 'cancelled' });
  t.equal(await used(), 0);
  await until('the object to go', async () => (await service.storage.get(storagePath)) === null);
  const retried = await api.post<Retried>(`${path}/jobs/${jobId}/retry`);
  t.match(retried.body, { jobId: null, count: 0 }, 'no task of it has failed');
  t.equal((await service.store.reads.upload(agentId, storagePath)) ?? null, null);
});

await onEachEngine('a retry repeats the failed pages of a retrain, and no others', async (t, engine) => {
  const { service, api, agentId, path, train, retry, job, fail } = await begun(t, engine);
  const ids = await addPages(service.store, agentId, pageUrls(4));
  const [one = '', two = '', three = ''] = pageUrls(4);
  const jobId = await train();
  await fail(jobId, [one, two, three], 4);
  await body(api.delete(`${path}/sources/${ids[1]}`));
  const { status, body: retried } = await retry(jobId);
  t.equal(status, 202);
  t.match(retried, { jobId: /^[1-9][0-9]*$/, count: 2, message: /2 tasks/ });
  const next = await job(retried.jobId ?? '');
  t.match(next, { type: 'retrain', status: 'pending', tasksCount: 2 });
  t.strictSame(
    next.tasks.map(({ target }) => target).sort(),
    [one, three],
    'but for the one that was deleted',
  );
});

await onEachEngine('a large retry creates its tasks in parts', async (t, engine) => {
  const { service, api, agentId, path, train, retry, fail } = await begun(t, engine);
  const ids = await addPages(service.store, agentId, pageUrls(260));
  const jobId = await train();
  const total = async (id: string, query = '') =>
    (await body(api.get<List<object>>(`${path}/jobs/${id}/tasks${query}`))).pagination.total;
  await until('all tasks', async () => (await total(jobId)) === 260);
  await fail(jobId, pageUrls(260), 260);
  await body(api.delete(`${path}/sources/${ids[200]}`));
  const retried = (await retry(jobId)).body;
  t.equal(retried.count, 260, 'it counts them from the start');
  const again = retried.jobId ?? '';
  await until('its tasks', async () => (await total(again)) === 259);
  const found = await service.store.operations.job(Number(again));
  t.match(found?.job, { tasksCount: 259, tasksToCome: 0, openedUpTo: null, retryOf: Number(jobId) });
});

await onEachEngine(
  'a page that was never indexed is retried by the rules of a new one',
  async (t, engine) => {
    const { service, workspaceId, api, path, submit, retry, job, fail } = await begun(t, engine);
    const url = 'https://www.youtube.com/watch?v=1';
    const jobId = await submit(url);
    refused(t, await retry(jobId), 400, 'VALIDATION_INVALID_BODY', ['jobId']);
    await fail(jobId, [url], 1);
    const retried = (await retry(jobId)).body;
    t.match(await job(retried.jobId ?? ''), { type: 'index_url', tasks: [{ target: url }] });
    await service.store.workspaces.update(workspaceId, () => ({
      overrides: { features: { videoTranscription: false } },
    }));
    refused(t, await retry(jobId), 403, 'SUBSCRIPTION_API_RESTRICTED_PLAN');
    await service.store.workspaces.update(workspaceId, () => ({
      overrides: { limits: { storageBytes: 0 } },
    }));
    refused(t, await retry(jobId), 403, 'QUOTA_STORAGE_LIMIT');
    const { pagination } = await body(api.get<List<Job>>(`${path}/jobs`));
    t.equal(pagination.total, 2, 'what was refused has made no job');
  },
);

t.test('there is nothing to retry without a failed task', async (t) => {
  const { submit, retry, fail } = await begun(t);
  const jobId = await submit('https://a.example');
  await fail(jobId, [], 1);
  const { status, body: answer } = await retry(jobId);
  t.equal(status, 200);
  t.match(answer, { jobId: null, count: 0, message: /No task/ });
});

t.test('an unknown, foreign or malformed job is not found', async (t) => {
  const { api, submit } = await begun(t);
  const jobId = await submit('https://a.example');
  const other = await api.agent();
  for (const id of [jobId, '0', 'x', '999999999'])
    for (const what of ['cancel', 'retry'])
      refused(t, await api.post(`/agents/${other.id}/jobs/${id}/${what}`), 404, 'RESOURCE_NOT_FOUND');
});
