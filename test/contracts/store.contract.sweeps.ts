import assert from 'node:assert/strict';
import { v7 as uuidv7 } from 'uuid';
import type { StoreTest } from './store.contract.js';
import {
  contentOf,
  documentOf,
  idsOf,
  jobWith,
  NOW,
  NOW_MS,
  type Subject,
  taskWith,
} from './store.contract.subject.js';

const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

/** A job of a new agent with these tasks. */
async function jobOf(s: Subject, ...tasks: ReturnType<typeof taskWith>[]) {
  const agentId = await s.newAgent();
  const job = await s.turn(agentId, (turn) =>
    turn.jobs.insert(jobWith({ requestId: 'r-1', traceparent }), tasks),
  );
  return { agentId, jobId: job.id };
}

export function describeTaskSweeps(test: StoreTest): void {
  test('agents with due tasks are listed by due time, without those of excluded workspaces', async (s) => {
    const other = await s.newWorkspace();
    const due = async (workspaceId: string, nextDueAtMs: number | null) => {
      const agentId = await s.newAgent(workspaceId);
      await s.turn(agentId, async (turn) => turn.change({ nextDueAtMs }));
      return { agentId, workspaceId };
    };
    const late = await due(s.workspaceId, NOW_MS);
    const early = await due(other, NOW_MS - 10);
    await due(other, NOW_MS + 1);
    await due(s.workspaceId, null);
    const { tasks } = s.beside;
    assert.deepEqual(await tasks.agentsInLine(NOW_MS, [], 10), [early, late]);
    assert.deepEqual(await tasks.agentsInLine(NOW_MS, [], 1), [early]);
    assert.deepEqual(await tasks.agentsInLine(NOW_MS, [other], 10), [late]);
    assert.deepEqual(await tasks.agentsInLine(NOW_MS, [other, s.workspaceId], 10), []);
  });

  test('queued tasks are unpublished until exactly this attempt is confirmed, then not started', async (s) => {
    const queued = (dueAtMs: number, attempts = 1) => taskWith({ status: 'queued', attempts, dueAtMs });
    const [second, first, young] = [queued(NOW_MS - 1), queued(NOW_MS - 2, 2), queued(NOW_MS)];
    const { agentId, jobId } = await jobOf(s, second, first, young, taskWith());
    const { tasks } = s.beside;
    const unpublished = await tasks.unpublished(NOW_MS, 10);
    assert.deepEqual(idsOf(unpublished), [first.id, second.id]);
    assert.deepEqual(unpublished[0], {
      ...first,
      jobId,
      agentId,
      requestId: 'r-1',
      traceparent,
      workspaceId: s.workspaceId,
    });
    assert.deepEqual(idsOf(await tasks.unpublished(NOW_MS, 1)), [first.id]);
    assert.deepEqual([await tasks.published(), await tasks.untaken(NOW_MS, 10)], [0, []]);

    await tasks.markPublished([
      { taskId: first.id, attempt: 1 },
      { taskId: second.id, attempt: 1 },
      { taskId: uuidv7(), attempt: 1 },
    ]);
    assert.deepEqual(idsOf(await tasks.unpublished(NOW_MS, 10)), [first.id]);
    await tasks.markPublished([
      { taskId: first.id, attempt: 2 },
      { taskId: young.id, attempt: 1 },
    ]);
    await tasks.markPublished([]);
    assert.equal(await tasks.published(), 3);
    assert.deepEqual(idsOf(await tasks.untaken(NOW_MS, 10)), [first.id, second.id]);
    assert.deepEqual(idsOf(await tasks.untaken(NOW_MS + 1, 1)), [first.id]);
    assert.deepEqual(idsOf(await tasks.untaken(NOW_MS + 1, 1, first)), [second.id]);
    assert.deepEqual(idsOf(await tasks.untaken(NOW_MS + 1, 10, first)), [second.id, young.id]);
    const twin = { dueAtMs: first.dueAtMs, id: '' };
    assert.deepEqual(idsOf(await tasks.untaken(NOW_MS + 1, 1, twin)), [first.id]);
  });

  test('a confirmation for a task that is no longer queued has no effect', async (s) => {
    const task = taskWith({ attempts: 1, status: 'pending' });
    const { agentId } = await jobOf(s, task);
    await s.store.tasks.markPublished([{ taskId: task.id, attempt: 1 }]);
    assert.equal(await s.turn(agentId, async (turn) => (await turn.jobs.task(task.id))?.published), false);
  });

  test('a lease is only extended for the current attempt, and the sweeps see that', async (s) => {
    const task = taskWith({ status: 'running', attempts: 2, leaseUntilMs: NOW_MS });
    const { agentId } = await jobOf(s, task, taskWith({ status: 'running', leaseUntilMs: NOW_MS + 90 }));
    const { tasks } = s.beside;
    assert.deepEqual(await tasks.agentsWithStalledTasks(NOW_MS, 10), []);
    assert.deepEqual(await tasks.agentsWithStalledTasks(NOW_MS + 1, 10), [agentId]);
    assert.deepEqual(await tasks.agentsWithStalledTasks(NOW_MS + 100, 10), [agentId], 'each agent once');
    assert.equal(await tasks.extendLease(task.id, 1, NOW_MS + 50), false);
    assert.equal(await tasks.extendLease(task.id, 2, NOW_MS + 50, { done: 1, of: 4 }), true);
    assert.equal(await tasks.extendLease(task.id, 2, NOW_MS + 51), true);
    const stored = await s.turn(agentId, (turn) => turn.jobs.task(task.id));
    assert.deepEqual(stored?.progress, { done: 1, of: 4 });
    assert.deepEqual(await tasks.agentsWithStalledTasks(NOW_MS + 1, 10), []);
    await s.turn(agentId, (turn) => turn.jobs.updateTask(task.id, { status: 'completed' }));
    assert.equal(await tasks.extendLease(task.id, 2, NOW_MS + 99), false);
    assert.equal(await tasks.extendLease(uuidv7(), 1, NOW_MS), false);
  });

  test('tasks that a queue lost count as unpublished again', async (s) => {
    const [running, queued] = [
      taskWith({ status: 'running', attempts: 3, leaseUntilMs: NOW_MS, published: true }),
      taskWith({ status: 'queued', attempts: 1, published: true }),
    ];
    await jobOf(s, running, queued, taskWith(), taskWith({ status: 'completed' }));
    assert.equal(await s.store.tasks.forgetPublished(), 2);
    const unpublished = await s.beside.tasks.unpublished(NOW_MS, 10);
    assert.deepEqual(idsOf(unpublished).sort(), [running.id, queued.id].sort());
    assert.equal(unpublished.find(({ id }) => id === running.id)?.attempts, 3, 'the same attempt');
    assert.equal(await s.beside.tasks.published(), 0);
  });

  test('finds jobs without tasks, and agents with a due retrain', async (s) => {
    const [agentId, later, off] = [await s.newAgent(), await s.newAgent(), await s.newAgent()];
    const job = await s.turn(agentId, async (turn) => {
      await turn.jobs.insert(jobWith(), []);
      turn.change({ retrainBaseAt: NOW });
      return turn.jobs.insert(jobWith({ tasksToCome: 5, openedUpTo: uuidv7() }), []);
    });
    await s.turn(later, async (turn) => turn.change({ retrainBaseAt: NOW - 5 }));
    const { tasks } = s.beside;
    assert.deepEqual(await tasks.jobsToOpen(10), [{ agentId, jobId: job.id }]);
    assert.deepEqual(await tasks.agentsToRetrain(NOW, NOW, 10), [later, agentId]);
    assert.deepEqual(await tasks.agentsToRetrain(NOW, NOW, 1), [later]);
    assert.deepEqual(await tasks.agentsToRetrain(NOW, NOW - 1, 10), [later]);
    await s.turn(later, async (turn) => turn.change({ retrainDueAt: NOW + 1 }));
    assert.deepEqual(
      await tasks.agentsToRetrain(NOW, NOW, 10),
      [agentId],
      'the schedule replaces the interval',
    );
    assert.deepEqual(await tasks.agentsToRetrain(NOW + 1, NOW - 9, 10), [later]);
    assert.deepEqual(await tasks.agentsToRetrain(NOW - 6, NOW - 9, 10), [later], 'its last run is ahead');
    await s.turn(later, async (turn) => turn.change({ retrainDueAt: null }));
    await s.turn(agentId, async (turn) => {
      await turn.jobs.updateJob(job.id, { tasksToCome: 0, openedUpTo: null });
      turn.change({ retrainBaseAt: null });
    });
    assert.deepEqual(await tasks.jobsToOpen(10), []);
    assert.deepEqual(await tasks.agentsToRetrain(NOW, NOW, 10), [later]);
    assert.ok(off);
  });
}

/** Documents with an outdated index or without one. */
export function describeIndexSweeps(test: StoreTest): void {
  test('a reopened agent is indexed document by document, then marked as done', async (s) => {
    const [agentId, other] = [await s.newAgent(), await s.newAgent()];
    const content = contentOf('What it says.');
    const [first, second] = await s.turn(agentId, async (turn) => {
      const rows = [documentOf(turn.agent), documentOf(turn.agent)] as const;
      for (const row of rows) await turn.documents.insert(row, content);
      return rows;
    });
    const { indexing } = s.beside;
    assert.deepEqual(await indexing.agentsToIndex(10), []);
    assert.deepEqual(await indexing.left(), { agents: 0, documents: 0 });

    await s.store.indexing.reopen(agentId);
    assert.deepEqual(await indexing.agentsToIndex(10), [agentId]);
    assert.deepEqual(await indexing.left(), { agents: 1, documents: 2 });
    assert.deepEqual(await indexing.documentsToIndex(agentId, '', 10), [first.id, second.id]);
    assert.deepEqual(await indexing.documentsToIndex(agentId, '', 1), [first.id]);
    assert.deepEqual(await indexing.documentsToIndex(agentId, first.id, 10), [second.id]);
    assert.deepEqual(await indexing.documentsToIndex(other, '', 10), []);

    await s.turn(agentId, (turn) => turn.documents.reindex(first.id, content));
    assert.deepEqual(await indexing.documentsToIndex(agentId, '', 10), [second.id]);
    await s.turn(agentId, async (turn) => {
      await turn.documents.reindex(second.id, content);
      await turn.documents.finishIndexing();
    });
    assert.deepEqual(await indexing.agentsToIndex(10), []);
    assert.equal((await s.seen(agentId))?.knowledgeVersion, 2, 'the same contents, found as before');
  });
}
