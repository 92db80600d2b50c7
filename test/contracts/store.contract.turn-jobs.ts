import assert from 'node:assert/strict';
import { v7 as uuidv7 } from 'uuid';
import type { TaskRow } from '../../core/ports/store/rows.js';
import type { StoreTest } from './store.contract.js';
import { idsOf, jobWith, NOW, NOW_MS, taskWith } from './store.contract.subject.js';

const url = 'https://a.example/page';

export function describeTurnJobs(test: StoreTest): void {
  test('a job and its tasks are stored as given, with ascending ids', async (s) => {
    const agentId = await s.newAgent();
    const job = jobWith({
      type: 'retrain',
      isRetrain: true,
      requestId: 'r-1',
      tasksToCome: 3,
      openedUpTo: 'x',
    });
    const tasks = [
      taskWith({
        documentId: uuidv7(),
        isRetrain: true,
        error: { code: 'FETCH_TIMEOUT', message: 'Töo slow.' },
      }),
      taskWith({
        type: 'parse_file',
        target: 'a.txt',
        payload: { storagePath: 'agents/x/a.txt', fileName: 'a.txt', bytes: 1, etag: '"1"' },
        status: 'running',
        attempts: 2,
        leaseUntilMs: NOW_MS + 5,
        published: true,
      }),
    ];
    const first = await s.turn(agentId, (turn) => turn.jobs.insert(job, tasks));
    const second = await s.turn(agentId, (turn) => turn.jobs.insert(jobWith(), []));
    assert.deepEqual(first, { ...job, id: first.id, agentId, workspaceId: s.workspaceId });
    assert.ok(second.id > first.id);
    assert.equal((await s.seen(agentId))?.jobs, 2);
    const stored = await s.beside.operations.job(first.id);
    assert.deepEqual(stored?.job, first);
    assert.deepEqual(
      stored?.tasks,
      tasks.map((task) => ({ ...task, jobId: first.id, agentId })),
    );
  });

  test('a patch changes only the given fields of jobs and tasks, also in the turn that created them', async (s) => {
    const agentId = await s.newAgent();
    const task = taskWith();
    const jobId = await s.turn(agentId, async (turn) => {
      const { id } = await turn.jobs.insert(jobWith({ tasksCount: 2 }), [task]);
      await turn.jobs.updateJob(id, { status: 'running', startedAt: NOW });
      await turn.jobs.updateTask(task.id, { status: 'queued', attempts: 1 });
      assert.equal((await turn.jobs.job(id))?.status, 'running');
      assert.equal((await turn.jobs.task(task.id))?.status, 'queued');
      return id;
    });
    const later = taskWith();
    await s.turn(agentId, async (turn) => {
      await turn.jobs.addTasks(jobId, [later]);
      await turn.jobs.updateTask(task.id, { status: 'running', leaseUntilMs: NOW_MS, published: true });
      await turn.jobs.updateTask(task.id, {
        status: 'failed',
        leaseUntilMs: null,
        error: { code: 'FETCH_TIMEOUT', message: 'Too slow.' },
      });
      await turn.jobs.updateJob(jobId, { tasksEnded: 1, tasksFailed: 1 });
      assert.equal((await turn.jobs.task(later.id))?.jobId, jobId);
    });
    const stored = await s.beside.operations.job(jobId);
    assert.deepEqual(
      [stored?.job.status, stored?.job.tasksEnded, stored?.job.tasksFailed, stored?.job.startedAt],
      ['running', 1, 1, NOW],
    );
    assert.deepEqual(stored?.tasks[0], {
      ...task,
      jobId,
      agentId,
      status: 'failed',
      attempts: 1,
      published: true,
      error: { code: 'FETCH_TIMEOUT', message: 'Too slow.' },
    });
    assert.equal(stored?.tasks[1]?.id, later.id);
  });

  test('a turn finds no job and no task of another agent', async (s) => {
    const [agentId, other] = [await s.newAgent(), await s.newAgent()];
    const task = taskWith({ target: url, status: 'running', leaseUntilMs: 1 });
    const job = await s.turn(agentId, (turn) =>
      turn.jobs.insert(jobWith({ type: 'retrain', status: 'running' }), [task, taskWith({ target: url })]),
    );
    await s.turn(other, async (turn) => {
      assert.equal(await turn.jobs.job(job.id), null);
      assert.equal(await turn.jobs.task(task.id), null);
      assert.deepEqual(await turn.jobs.waiting(10), []);
      assert.deepEqual(await turn.jobs.stalled(NOW_MS), []);
      assert.equal((await turn.jobs.underWay()).agent, 0);
      assert.equal(await turn.jobs.retraining(), false);
      // No page of another agent is shared.
      await turn.jobs.insert(jobWith(), [taskWith({ target: url })]);
      assert.equal((await turn.jobs.waiting(10)).length, 1);
    });
  });

  test('pending tasks are read in order of due time, with request and workspace', async (s) => {
    const agentId = await s.newAgent();
    const due = (ms: number) => taskWith({ dueAtMs: NOW_MS + ms });
    const [last, first, second] = [due(30), due(10), due(20)];
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    await s.turn(agentId, (turn) =>
      turn.jobs.insert(jobWith({ requestId: 'r-1', traceparent }), [last, first]),
    );
    const job = await s.turn(agentId, (turn) =>
      turn.jobs.insert(jobWith(), [second, taskWith({ status: 'queued' })]),
    );
    await s.turn(agentId, async (turn) => {
      const waiting = await turn.jobs.traced(await turn.jobs.waiting(10));
      assert.deepEqual(idsOf(waiting), [first.id, second.id, last.id]);
      assert.deepEqual(
        waiting.map(({ requestId }) => requestId),
        ['r-1', null, 'r-1'],
      );
      assert.equal(waiting[0]?.traceparent, traceparent);
      assert.deepEqual(waiting[1], {
        ...second,
        jobId: job.id,
        agentId,
        requestId: null,
        traceparent: null,
        workspaceId: s.workspaceId,
      });
      assert.deepEqual(idsOf(await turn.jobs.waiting(2)), [first.id, second.id]);
      // Changes of this turn count: one task is queued, one postponed, one new.
      await turn.jobs.updateTask(first.id, { status: 'queued' });
      await turn.jobs.updateTask(second.id, { dueAtMs: NOW_MS + 40 });
      const fresh = due(35);
      await turn.jobs.addTasks(job.id, [fresh]);
      assert.deepEqual(idsOf(await turn.jobs.waiting(10)), [last.id, fresh.id, second.id]);
      assert.deepEqual(idsOf(await turn.jobs.waiting(1)), [last.id]);
    });
  });

  test('counts queued and running tasks of the agent, its workspace and all', async (s) => {
    const [agentId, sibling] = [await s.newAgent(), await s.newAgent()];
    const elsewhere = await s.newWorkspace();
    const stranger = await s.newAgent(elsewhere);
    const three = () => [
      taskWith({ status: 'queued' }),
      taskWith({ status: 'running' }),
      taskWith(),
      taskWith({ status: 'completed' }),
    ];
    for (const id of [sibling, stranger]) await s.turn(id, (turn) => turn.jobs.insert(jobWith(), three()));
    await s.turn(agentId, async (turn) => {
      const tasks = three();
      await turn.jobs.insert(jobWith(), tasks);
      assert.deepEqual(await turn.jobs.underWay(), { agent: 2, workspace: 4, all: 6 });
      await turn.jobs.updateTask(tasks[0]?.id ?? '', { status: 'completed' });
      assert.deepEqual(await turn.jobs.underWay(), { agent: 1, workspace: 3, all: 5 });
    });
    assert.deepEqual(
      await s.beside.tasks.underWay(),
      new Map([
        [s.workspaceId, 3],
        [elsewhere, 2],
      ]),
    );
  });

  test('a running task with an expired lease is stalled', async (s) => {
    const agentId = await s.newAgent();
    const running = (leaseUntilMs: number) => taskWith({ status: 'running', leaseUntilMs });
    const [over, now] = [running(NOW_MS - 1), running(NOW_MS)];
    await s.turn(agentId, (turn) =>
      turn.jobs.insert(jobWith(), [over, now, taskWith({ status: 'queued', leaseUntilMs: 1 })]),
    );
    await s.turn(agentId, async (turn) => {
      assert.deepEqual(idsOf(await turn.jobs.stalled(NOW_MS)), [over.id]);
      await turn.jobs.updateTask(over.id, { status: 'pending', leaseUntilMs: null });
      assert.deepEqual(await turn.jobs.stalled(NOW_MS), []);
    });
  });

  test('finds a retrain in progress', async (s) => {
    const agentId = await s.newAgent();
    await s.turn(agentId, async (turn) => {
      await turn.jobs.insert(jobWith({ status: 'running' }), []);
      await turn.jobs.insert(jobWith({ type: 'retrain', status: 'completed' }), []);
      assert.equal(await turn.jobs.retraining(), false);
      const { id } = await turn.jobs.insert(jobWith({ type: 'retrain' }), []);
      assert.equal(await turn.jobs.retraining(), true);
      await turn.jobs.updateJob(id, { status: 'failed' });
      assert.equal(await turn.jobs.retraining(), false);
    });
  });

  test('a job returns its open and failed tasks, and removes cancelled ones', async (s) => {
    const agentId = await s.newAgent();
    const [running, failed, failedLater, done] = [
      taskWith({ status: 'running', leaseUntilMs: NOW_MS }),
      taskWith({ status: 'failed', error: { code: 'FETCH_TIMEOUT', message: 'Too slow.' } }),
      taskWith({ status: 'failed' }),
      taskWith({ status: 'completed' }),
    ];
    const [pending, queued] = [taskWith({ target: url }), taskWith({ status: 'queued' })];
    const [heir, next] = [taskWith({ target: url }), taskWith({ target: url })];
    await s.turn(agentId, async (turn) => {
      const mine = [running, failed, failedLater, done, pending, queued];
      const job = await turn.jobs.insert(jobWith({ tasksCount: mine.length }), mine);
      for (const task of [heir, next]) await turn.jobs.insert(jobWith(), [task]);
      const open = async (limit: number) => idsOf(await turn.jobs.openTasks(job.id, limit));
      assert.deepEqual(await open(10), [pending.id, queued.id, running.id]);
      assert.deepEqual(await open(1), [pending.id]);
      const failures = async (after: string | null, limit: number) =>
        idsOf(await turn.jobs.failedTasks(job.id, after, limit));
      assert.deepEqual(await failures(null, 10), [failed.id, failedLater.id]);
      assert.deepEqual(await failures(null, 1), [failed.id]);
      assert.deepEqual(await failures(failed.id, 10), [failedLater.id]);
      await turn.jobs.cancelTasks([pending.id, running.id]);
      assert.deepEqual(await open(10), [queued.id]);
    });
    await s.turn(agentId, async (turn) => {
      const { status, leaseUntilMs } = (await turn.jobs.task(running.id)) ?? {};
      assert.deepEqual([status, leaseUntilMs], ['cancelled', null]);
      assert.deepEqual(idsOf(await turn.jobs.waiting(10)), [heir.id], 'the first that followed leads');
      assert.deepEqual(idsOf(await turn.jobs.followers(heir.id)), [next.id]);
      await turn.jobs.cancelTasks([]);
    });
  });

  describeSharedFetches(test);
}

/** Tasks for a page for which the agent has an open task. */
function describeSharedFetches(test: StoreTest): void {
  const page = (task: Partial<TaskRow> = {}) => taskWith({ target: url, ...task });

  test('a task follows a pending task for the same page and uses no slot of the window', async (s) => {
    const agentId = await s.newAgent();
    const [leader, follower, other] = [page(), page(), taskWith()];
    await s.turn(agentId, (turn) => turn.jobs.insert(jobWith(), [leader]));
    await s.turn(agentId, async (turn) => {
      await turn.jobs.insert(jobWith(), [follower, other]);
      assert.deepEqual(idsOf(await turn.jobs.waiting(10)), [leader.id, other.id].sort());
      assert.deepEqual(idsOf(await turn.jobs.followers(leader.id)), [follower.id]);
      assert.deepEqual(await turn.jobs.followers(follower.id), []);
      // A leader that this turn has made leads as well.
      const late = taskWith({ target: other.target });
      await turn.jobs.insert(jobWith(), [late]);
      assert.deepEqual(idsOf(await turn.jobs.followers(other.id)), [late.id]);
    });
  });

  test('a task follows a running task, but no task for another document', async (s) => {
    const agentId = await s.newAgent();
    const documentId = uuidv7();
    await s.turn(agentId, async (turn) => {
      const running = page({ status: 'running' });
      const renewal = page({ isRetrain: true, documentId });
      await turn.jobs.insert(jobWith(), [running, renewal]);
      const follower = page();
      const again = page({ isRetrain: true, documentId });
      await turn.jobs.insert(jobWith(), [follower, again]);
      assert.deepEqual(idsOf(await turn.jobs.waiting(10)), [renewal.id]);
      assert.deepEqual(idsOf(await turn.jobs.followers(running.id)), [follower.id]);
      assert.deepEqual(idsOf(await turn.jobs.followers(renewal.id)), [again.id]);
    });
  });

  test('the jobs of followers start with their leader, once', async (s) => {
    const agentId = await s.newAgent();
    const leader = page({ status: 'queued' });
    const [own, pending, running] = await s.turn(agentId, async (turn) => [
      await turn.jobs.insert(jobWith(), [leader]),
      await turn.jobs.insert(jobWith(), [page()]),
      await turn.jobs.insert(jobWith({ status: 'running', startedAt: 1 }), [page()]),
    ]);
    await s.turn(agentId, async (turn) => {
      await turn.jobs.startFollowers(leader.id, NOW);
      const job = await turn.jobs.job(pending?.id ?? 0);
      assert.deepEqual([job?.status, job?.startedAt], ['running', NOW]);
    });
    const jobs = await s.beside.reads.jobs(agentId, { limit: 10, before: null });
    assert.deepEqual(
      jobs.map(({ id, status, startedAt }) => [id, status, startedAt]),
      [
        [running?.id, 'running', 1],
        [pending?.id, 'running', NOW],
        [own?.id, 'pending', null],
      ],
    );
  });

  test('at most a hundred tasks follow one', async (s) => {
    const agentId = await s.newAgent();
    const leader = page();
    await s.turn(agentId, (turn) => turn.jobs.insert(jobWith(), [leader]));
    const followers = Array.from({ length: 100 }, () => page());
    for (const half of [followers.slice(0, 50), followers.slice(50)])
      await s.turn(agentId, (turn) => turn.jobs.insert(jobWith(), half));
    const next = page();
    await s.turn(agentId, async (turn) => {
      await turn.jobs.insert(jobWith(), [next]);
      assert.equal((await turn.jobs.followers(leader.id)).length, 100);
      assert.deepEqual(idsOf(await turn.jobs.waiting(10)), [leader.id, next.id]);
    });
  });
}
