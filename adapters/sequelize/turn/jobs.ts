import type { TurnJobs, UnderWay } from '../../../core/ports/store/agents/agent-turn.js';
import type { JobRow, TaskRow } from '../../../core/ports/store/rows.js';
import type { Row } from '../database/connection.js';
import { insertRows } from '../database/write-rows.js';
import { insertJob } from '../rows/insert-job.js';
import { jobOf } from '../tables/jobs.js';
import { sitemaps } from '../tables/sitemaps.js';
import { type StoredTask, storedTaskOf } from '../tables/tasks.js';
import type { TurnScope } from './scope.js';
import { sharedFetches } from './shared-fetches.js';

const isOut = (task: TaskRow | null): boolean => task?.status === 'queued' || task?.status === 'running';
const isWaiting = ({ status, follows }: StoredTask): boolean => status === 'pending' && follows === null;
const byTurn = (a: TaskRow, b: TaskRow): number => a.dueAtMs - b.dueAtMs || (a.id < b.id ? -1 : 1);

/** Rounds up to a power of two, because the driver caches each distinct statement. */
const roundedUp = (limit: number): number => 2 ** Math.ceil(Math.log2(limit));

/** Returns the columns that core uses. */
const shown = ({ pageKey: _, follows: __, ...task }: StoredTask): TaskRow => task;

export function turnJobs(scope: TurnScope): TurnJobs {
  const { agent, change, select, execute } = scope;
  const { tasks, jobs } = scope.pending;
  const shared = sharedFetches(scope);

  async function loadJobs(jobIds: number[]): Promise<void> {
    const unknown = [...new Set(jobIds)].filter((id) => jobs.get(id) === undefined);
    if (unknown.length === 0) return;
    const rows = await select('SELECT * FROM jobs WHERE id IN (?) AND agent_id = ?', [unknown, agent().id]);
    for (const row of rows.map(jobOf)) jobs.cache(row.id, row);
    for (const id of unknown) jobs.cache(id, null);
  }

  const job = async (jobId: number): Promise<JobRow | null> => {
    await loadJobs([jobId]);
    return jobs.get(jobId) ?? null;
  };

  /** Caches the rows and returns their current state. */
  const cache = (rows: Row[]): TaskRow[] =>
    rows.map(storedTaskOf).flatMap((row) => {
      const held = tasks.cache(row.id, row);
      return held ? [shown(held)] : [];
    });

  /** Returns how many more tasks are in the queue than stored, because of this turn's changes. */
  const outMore = (): number =>
    tasks.unwritten().reduce((sum, { before, now }) => sum + Number(isOut(now)) - Number(isOut(before)), 0);

  const addTasks: TurnJobs['addTasks'] = async (jobId, added) =>
    holdTasks(jobId, added, await shared.columnsOf(added));

  function holdTasks(
    jobId: number,
    added: Parameters<TurnJobs['addTasks']>[1],
    more: Awaited<ReturnType<typeof shared.columnsOf>>,
  ): void {
    for (const [n, task] of added.entries())
      tasks.insert(task.id, {
        pageKey: null,
        follows: null,
        ...more[n],
        ...task,
        jobId,
        agentId: agent().id,
      });
  }

  return {
    async load(wanted) {
      await shared.load(wanted.map(({ taskId }) => taskId));
      await loadJobs(wanted.map(({ jobId }) => jobId));
      return wanted.flatMap(({ taskId }) => tasks.get(taskId) ?? []).map(shown);
    },
    async insert(added, itsTasks) {
      const [row, more] = await Promise.all([insertJob(scope, agent(), added), shared.columnsOf(itsTasks)]);
      jobs.cache(row.id, row);
      holdTasks(row.id, itsTasks, more);
      change({ jobs: agent().jobs + 1 });
      return row;
    },
    addTasks,
    job,
    async updateJob(jobId, patch) {
      if (await job(jobId)) jobs.change(jobId, patch);
    },
    async task(taskId) {
      if (tasks.get(taskId) === undefined) await shared.load([taskId]);
      const task = tasks.get(taskId);
      return task ? shown(task) : null;
    },
    async updateTask(taskId, patch) {
      if (tasks.get(taskId) === undefined) await shared.load([taskId]);
      tasks.change(taskId, patch);
    },
    async openTasks(jobId, limit) {
      await scope.write();
      const rows = await select(
        `SELECT * FROM tasks WHERE job_id = ? AND status IN ('pending', 'queued', 'running') ORDER BY status, id LIMIT ${limit}`,
        [jobId],
      );
      return cache(rows);
    },
    async failedTasks(jobId, after, limit) {
      await scope.write();
      const rows = await select(
        `SELECT * FROM tasks WHERE job_id = ? AND status = 'failed' AND id > ? ORDER BY id LIMIT ${limit}`,
        [jobId, after ?? ''],
      );
      return cache(rows);
    },
    async cancelTasks(taskIds) {
      await shared.load([...taskIds]);
      for (const id of taskIds) tasks.change(id, { status: 'cancelled', leaseUntilMs: null, error: null });
      await shared.leave(taskIds);
    },
    async forget(before, limit) {
      await scope.write();
      const old = await select(
        `SELECT id FROM jobs WHERE agent_id = ? AND finished_at < ? ORDER BY finished_at LIMIT ${limit}`,
        [agent().id, before],
      );
      let left = limit;
      for (const { id } of old) {
        if (left <= 0) return;
        const found = await select(`SELECT id FROM tasks WHERE job_id = ? LIMIT ${left}`, [id]);
        if (found.length > 0)
          await execute('DELETE FROM tasks WHERE id IN (?)', [found.map((row) => row.id)]);
        // There may be more: the next turn continues with this job.
        if (found.length === left) return;
        left -= found.length + 1;
        await execute('DELETE FROM sitemaps WHERE job_id = ?', [id]);
        await execute('DELETE FROM site_readings WHERE job_id = ?', [id]);
        await execute('DELETE FROM jobs WHERE id = ?', [id]);
        change({ jobs: agent().jobs - 1 });
      }
    },
    async sitemap(jobId) {
      const [row] = await select('SELECT report, pages FROM sitemaps WHERE job_id = ? AND agent_id = ?', [
        jobId,
        agent().id,
      ]);
      if (!row) return null;
      const { report, pages } = sitemaps.decode(row);
      return { report, pages };
    },
    async keepSitemap(jobId, sitemap) {
      const row = sitemaps.byColumn(sitemaps.encode({ jobId, agentId: agent().id, ...sitemap }));
      const columns = ['report', 'pages'];
      await insertRows(scope, sitemaps.name, [row], { dialect: scope.dialect, key: 'job_id', columns });
    },
    async followers(taskId) {
      const followers = await shared.followers(taskId);
      await loadJobs(followers.map(({ jobId }) => jobId));
      return followers.map(shown);
    },
    async startFollowers(taskId, now) {
      const followers = await shared.followers(taskId);
      await loadJobs(followers.map(({ jobId }) => jobId));
      for (const { jobId } of followers)
        if (jobs.get(jobId)?.status === 'pending') jobs.change(jobId, { status: 'running', startedAt: now });
    },
    async retraining() {
      await scope.write();
      const [row] = await select(
        `SELECT id FROM jobs WHERE agent_id = ? AND status IN ('pending', 'running') AND type = 'retrain' LIMIT 1`,
        [agent().id],
      );
      return row !== undefined;
    },
    async underWay(): Promise<UnderWay> {
      const [row] = await select(
        `SELECT COUNT(*) AS total, SUM(CASE WHEN jobs.workspace_id = ? THEN 1 ELSE 0 END) AS workspace,
          SUM(CASE WHEN tasks.agent_id = ? THEN 1 ELSE 0 END) AS agent
          FROM tasks JOIN jobs ON jobs.id = tasks.job_id WHERE tasks.status IN ('queued', 'running')`,
        [agent().workspaceId, agent().id],
      );
      const more = outMore();
      const counted = (n: unknown): number => Number(n ?? 0) + more;
      return { agent: counted(row?.agent), workspace: counted(row?.workspace), all: counted(row?.total) };
    },
    async waiting(limit) {
      const changed = tasks.unwritten();
      // Read as many more rows as this turn may have changed, so that `limit` rows remain.
      const gone = changed.filter(({ before }) => before !== null && isWaiting(before)).length;
      const rows = await select(
        `SELECT * FROM tasks WHERE agent_id = ? AND status = 'pending' AND follows IS NULL
          ORDER BY due_at_ms, id LIMIT ${roundedUp(limit + gone)}`,
        [agent().id],
      );
      const read = rows.map(storedTaskOf).map((row) => tasks.cache(row.id, row) ?? row);
      return [...new Set([...read, ...changed.map(({ now }) => now)])]
        .filter(isWaiting)
        .sort(byTurn)
        .slice(0, limit)
        .map(shown);
    },
    async traced(found) {
      await loadJobs(found.map(({ jobId }) => jobId));
      const { workspaceId } = agent();
      return found.map((task) => ({
        ...task,
        requestId: jobs.get(task.jobId)?.requestId ?? null,
        traceparent: jobs.get(task.jobId)?.traceparent ?? null,
        workspaceId,
      }));
    },
    async stalled(nowMs) {
      await scope.write();
      const rows = await select(
        `SELECT * FROM tasks WHERE agent_id = ? AND status = 'running' AND lease_until_ms < ?`,
        [agent().id, nowMs],
      );
      return cache(rows);
    },
  };
}
