import type { TurnJobs } from '../../core/ports/store/agent-turn.js';
import { sharedFetches } from './shared-fetches.js';
import { jobOf } from './tables/jobs.js';
import { taskColumns, taskOf, tracedTaskOf } from './tables/tasks.js';
import type { TurnScope } from './turn-scope.js';

export function turnJobs(scope: TurnScope): TurnJobs {
  const { models, transaction, agent, change, select } = scope;
  const shared = sharedFetches(scope);
  const addTasks: TurnJobs['addTasks'] = async (jobId, tasks) => {
    const more = await shared.columnsOf(tasks);
    const rows = tasks.map((task, n) => ({
      ...taskColumns({ ...task, jobId, agentId: agent().id }),
      ...more[n],
    }));
    await models.tasks.bulkCreate(rows, { transaction });
  };

  return {
    async insert(job, tasks) {
      const { id: agentId, workspaceId } = agent();
      const row = await models.jobs.create({ ...job, agentId, workspaceId }, { transaction });
      const jobId = Number(row.get('id'));
      await addTasks(jobId, tasks);
      change({ jobs: agent().jobs + 1 });
      return { ...job, id: jobId, agentId, workspaceId };
    },
    addTasks,
    async job(jobId) {
      const [row] = await select('SELECT * FROM jobs WHERE id = ? AND agent_id = ?', [jobId, agent().id]);
      return row ? jobOf(row) : null;
    },
    async updateJob(jobId, patch) {
      await models.jobs.update(patch, { where: { id: jobId }, transaction });
    },
    async task(taskId) {
      const [row] = await select('SELECT * FROM tasks WHERE id = ? AND agent_id = ?', [taskId, agent().id]);
      return row ? taskOf(row) : null;
    },
    async updateTask(taskId, patch) {
      await models.tasks.update(taskColumns(patch), { where: { id: taskId }, transaction });
    },
    async openTasks(jobId, limit) {
      const rows = await select(
        `SELECT * FROM tasks WHERE job_id = ? AND status IN ('pending', 'queued', 'running') ORDER BY status, id LIMIT ${limit}`,
        [jobId],
      );
      return rows.map(taskOf);
    },
    async failedTasks(jobId, after, limit) {
      const rows = await select(
        `SELECT * FROM tasks WHERE job_id = ? AND status = 'failed' AND id > ? ORDER BY id LIMIT ${limit}`,
        [jobId, after ?? ''],
      );
      return rows.map(taskOf);
    },
    async cancelTasks(taskIds) {
      if (taskIds.length === 0) return;
      await models.tasks.update(
        { status: 'cancelled', leaseUntilMs: null, errorCode: null, errorMessage: null },
        { where: { id: [...taskIds] }, transaction },
      );
      await shared.leave(taskIds);
    },
    followers: shared.followers,
    startFollowers: shared.startFollowers,
    gather: shared.gather,
    async retraining() {
      const [row] = await select(
        `SELECT id FROM jobs WHERE agent_id = ? AND status IN ('pending', 'running') AND type = 'retrain' LIMIT 1`,
        [agent().id],
      );
      return row !== undefined;
    },
    async outstanding() {
      const [row] = await select(
        `SELECT COUNT(*) AS n FROM tasks WHERE agent_id = ? AND status IN ('queued', 'running')`,
        [agent().id],
      );
      return Number(row?.n ?? 0);
    },
    async underWay() {
      const [row] = await select(
        `SELECT COUNT(*) AS total, SUM(CASE WHEN jobs.workspace_id = ? THEN 1 ELSE 0 END) AS own
          FROM tasks JOIN jobs ON jobs.id = tasks.job_id WHERE tasks.status IN ('queued', 'running')`,
        [agent().workspaceId],
      );
      return { workspace: Number(row?.own ?? 0), all: Number(row?.total ?? 0) };
    },
    async waiting(limit) {
      const rows = await select(
        `SELECT * FROM tasks WHERE agent_id = ? AND status = 'pending' AND follows IS NULL ORDER BY due_at_ms, id LIMIT ${limit}`,
        [agent().id],
      );
      if (rows.length === 0) return [];
      const jobIds = [...new Set(rows.map((row) => row.job_id))];
      const jobs = await select('SELECT id, request_id FROM jobs WHERE id IN (?)', [jobIds]);
      const requestOf = new Map(jobs.map((job) => [Number(job.id), job.request_id]));
      return rows.map((row) =>
        tracedTaskOf({
          ...row,
          request_id: requestOf.get(Number(row.job_id)),
          workspace_id: agent().workspaceId,
        }),
      );
    },
    async stalled(nowMs) {
      const rows = await select(
        `SELECT * FROM tasks WHERE agent_id = ? AND status = 'running' AND lease_until_ms < ?`,
        [agent().id, nowMs],
      );
      return rows.map(taskOf);
    },
  };
}
