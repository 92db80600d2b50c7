import type { Test } from 'tap';
import { body, invalid, type List, refused, walk } from '../../support/api-client.js';
import { addPages, pageUrls } from '../../support/pages.js';
import { type Engine, onEachEngine, startTestService } from '../../support/service.js';
import { until } from '../../support/until.js';

interface Task {
  id: string;
  target: string;
  status: string;
}

interface Job {
  tasksCount: number;
  tasks: Task[];
}

const PAGES = 230;

/** A retrain of many pages without a worker. */
async function retrained(t: Test, engine: Engine) {
  const service = await startTestService(t, { engine });
  const api = await service.client();
  const { id } = await api.agent();
  await addPages(service.store, id, pageUrls(PAGES));
  const { jobId, count } = await body(api.post<{ jobId: string; count: number }>(`/agents/${id}/train`));
  t.equal(count, PAGES);
  const path = `/agents/${id}/jobs/${jobId}`;
  const list = (query = '') => api.get<List<Task>>(`${path}/tasks${query}`);
  const total = async (query = '') => (await body(list(query))).pagination.total;
  const allOpened = () => until('the job to have all its tasks', async () => (await total()) === PAGES);
  return { service, api, agentId: id, jobId: Number(jobId), path, list, total, allOpened };
}

await onEachEngine('a job contains its first 100 tasks; the list contains all', async (t, engine) => {
  const { api, path, allOpened } = await retrained(t, engine);
  t.equal((await body(api.get<Job>(path))).tasksCount, PAGES, 'it counts them from the start');
  await allOpened();
  const job = await body(api.get<Job>(path));
  t.equal(job.tasksCount, PAGES);
  t.equal(job.tasks.length, 100);

  const all = await walk<Task>(api, `${path}/tasks`, 7);
  t.same(all.map(({ target }) => target).sort(), pageUrls(PAGES).sort(), 'each of them once');
  t.same(
    all,
    all.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    'in the order of their ids',
  );
  t.same(all.slice(0, 100), job.tasks, 'the same as the job shows');
});

await onEachEngine('tasks are listed by status, with a total', async (t, engine) => {
  const { service, agentId, jobId, path, api, total, allOpened } = await retrained(t, engine);
  await allOpened();
  const rows = await service.store.reads.tasks(jobId, null, { limit: PAGES, after: null });
  await service.store.turns.run(agentId, null, async (turn) => {
    const end = async (from: number, to: number, status: 'completed' | 'failed' | 'cancelled') => {
      for (const { id } of rows.slice(from, to)) await turn.jobs.updateTask(id, { status });
    };
    await end(0, 30, 'completed');
    await end(30, 50, 'failed');
    await end(50, 55, 'cancelled');
    for (const { id } of rows.slice(55, 60)) await turn.jobs.updateTask(id, { status: 'running' });
    // Queued, which clients see as pending.
    for (const { id } of rows.slice(100, 103)) await turn.jobs.updateTask(id, { status: 'queued' });
    await turn.jobs.updateJob(jobId, { tasksEnded: 55, tasksFailed: 20, status: 'running' });
  });
  const expected = { completed: 30, failed: 20, cancelled: 5, running: 5, pending: PAGES - 60 };
  for (const [status, count] of Object.entries(expected)) {
    t.equal(await total(`?status=${status}&limit=1`), count, status);
    const found = await walk<Task>(api, `${path}/tasks?status=${status}`, 7);
    t.equal(found.length, count);
    t.ok(found.every((task) => task.status === status));
    t.same(
      found,
      found.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
  }
  t.equal(await total(), PAGES);
});

await onEachEngine('a list of tasks rejects invalid filters and cursors', async (t, engine) => {
  const { api, agentId, path, list } = await retrained(t, engine);
  for (const query of ['?status=queued', '?status=', '?status=pending&status=failed'])
    invalid(t, await list(query), 'status');
  invalid(t, await list('?limit=101'), 'limit');
  const { cursor } = (await body(list('?limit=1'))).pagination;
  t.equal((await list(`?cursor=${cursor}`)).status, 200);
  invalid(t, await list(`?cursor=${cursor}&status=pending`), 'cursor');
  const { jobId } = await body(api.post<{ jobId: string }>(`/agents/${agentId}/train`));
  invalid(t, await api.get(`/agents/${agentId}/jobs/${jobId}/tasks?cursor=${cursor}`), 'cursor');
  const stranger = await api.agent();
  for (const job of [jobId, '999999', '0', 'x'])
    refused(t, await api.get(`/agents/${stranger.id}/jobs/${job}/tasks`), 404, 'RESOURCE_NOT_FOUND');
  refused(t, await api.get(`${path.replace(agentId, crypto.randomUUID())}/tasks`), 404, 'AGENT_NOT_FOUND');
});
