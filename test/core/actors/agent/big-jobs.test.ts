import type { Test } from 'tap';
import { actors, said } from '../../../support/agents.js';
import { addPages, pageUrls } from '../../../support/pages.js';
import t from '../../../support/t.js';

/* A retrain of more pages than one turn creates tasks for. */

const PAGES = 250;

async function retrained(t: Test) {
  const world = await actors(t, { window: 500 });
  const { store, agents, agentId } = world;
  const documents = await addPages(store, agentId, pageUrls(PAGES));
  const { job } = await agents.send(agentId, { kind: 'retrain', requestId: 'r' });
  if (!job) throw new Error('no job was made');
  const open = () => agents.send(agentId, { kind: 'openTasks', jobId: job.id });
  /** Runs the sweep until no part is left; returns the number of parts. */
  const openAll = async () => {
    let pieces = 0;
    for (; (await store.tasks.jobsToOpen(10)).length > 0; pieces += 1) await open();
    return pieces;
  };
  const row = async () => {
    const found = await store.reads.jobProgress(agentId, job.id);
    if (!found) throw new Error('the job is gone');
    return found.job;
  };
  const tasks = () => store.reads.tasks(job.id, null, { limit: 2 * PAGES, after: null });
  const remove = async (ids: string[]) => {
    for (const documentId of ids) await agents.send(agentId, { kind: 'deleteDocument', documentId });
  };
  return { ...world, job, documents, open, openAll, row, tasks, remove };
}

t.test('counts all pages at once and creates their tasks in parts', async (t) => {
  const { job, store, agentId, openAll, row, tasks } = await retrained(t);
  t.equal(job.tasksCount, PAGES);
  t.equal((await tasks()).length, 100);
  t.same(await store.tasks.jobsToOpen(10), [{ agentId, jobId: job.id }]);
  t.equal(await openAll(), 2);
  t.match(await row(), { tasksCount: PAGES, tasksToCome: 0, openedUpTo: null, status: 'pending' });
  const all = await tasks();
  t.same(all.map(({ target }) => target).sort(), pageUrls(PAGES).sort(), 'each page once');
  t.same(
    all,
    all.toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  );
});

t.test('two processes that continue the same job create no task twice', async (t) => {
  const { job, twin, agentId, open, row, tasks } = await retrained(t);
  const other = twin();
  await Promise.all(
    Array.from({ length: 6 }, (_, n) =>
      n % 2 === 0 ? open() : other.send(agentId, { kind: 'openTasks', jobId: job.id }),
    ),
  );
  t.equal(new Set((await tasks()).map(({ target }) => target)).size, PAGES);
  t.equal((await tasks()).length, PAGES);
  t.match(await row(), { tasksCount: PAGES, tasksToCome: 0, openedUpTo: null });
});

t.test('ends with its last task, and not before all tasks exist', async (t) => {
  const { agents, agentId, sent, openAll, row } = await retrained(t);
  for (const task of sent.splice(0)) await agents.send(agentId, said.succeeded(task, 'text'));
  t.match(await row(), { status: 'running', tasksEnded: 100, tasksCount: PAGES });
  await openAll();
  t.equal(sent.length, PAGES - 100);
  for (const task of sent.splice(0)) await agents.send(agentId, said.succeeded(task, 'text'));
  t.match(await row(), { status: 'completed', tasksEnded: PAGES, tasksFailed: 0, finishedAt: Number });
});

t.test('pages deleted before they have a task get none and are no longer counted', async (t) => {
  const { documents, openAll, row, tasks, remove } = await retrained(t);
  await remove(documents.slice(120, 130));
  await openAll();
  t.equal((await tasks()).length, PAGES - 10);
  t.match(await row(), { tasksCount: PAGES - 10, tasksToCome: 0, openedUpTo: null });
});

t.test('ends when all remaining pages are deleted', async (t) => {
  const { agents, agentId, documents, sent, openAll, row, remove } = await retrained(t);
  for (const task of sent.splice(0)) await agents.send(agentId, said.failed(task, 'give-up'));
  await remove(documents.slice(100));
  t.match(await row(), { status: 'running', tasksEnded: 100 });
  t.equal(await openAll(), 1);
  t.match(await row(), { status: 'failed', tasksCount: 100, tasksFailed: 100, finishedAt: Number });
});

t.test('does not include pages that are indexed after its start', async (t) => {
  const { store, agentId, openAll, row, tasks } = await retrained(t);
  await addPages(store, agentId, ['https://a.example/new']);
  await openAll();
  t.equal((await tasks()).length, PAGES);
  t.equal((await row()).tasksCount, PAGES);
  t.notOk((await tasks()).some(({ target }) => target.endsWith('/new')));
});

t.test('ends when its agent is deleted', async (t) => {
  const { store, agents, agentId, open } = await retrained(t);
  await agents.send(agentId, { kind: 'delete' });
  await t.rejects(open(), { name: 'AgentGone' });
  for (let [left] = await store.remains.list(0, 1); left; [left] = await store.remains.list(0, 1))
    await store.remains.clear(left, 1);
  t.same(await store.tasks.jobsToOpen(10), []);
});
