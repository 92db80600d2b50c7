import { Op } from 'sequelize';
import type { TracedTask } from '../../../core/ports/store/rows.js';
import type { TaskSweeps, UploadSweeps } from '../../../core/ports/store/sweeps.js';
import type { Connection } from '../database/connection.js';
import { readOnDisk } from '../database/read-on-disk.js';
import { statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { discard } from '../rows/discard.js';
import type { Models } from '../tables/models.js';
import { tasks, tracedTaskOf } from '../tables/tasks.js';
import { strayObjects } from '../uploads/stray-objects.js';

/** Queries of the job runtime's sweeps; each is one indexed statement. */
export function createTaskSweeps({ read }: Connection, models: Models, transact: Transact): TaskSweeps {
  const ids = async (sql: string, params: unknown[], column = 'id') =>
    (await read(sql, params)).map((row) => row[column] as string);

  const queued = async (
    published: boolean,
    beforeMs: number,
    limit: number,
    after: Pick<TracedTask, 'dueAtMs' | 'id'> | null = null,
  ): Promise<TracedTask[]> => {
    const [later, from] = after
      ? [
          ' AND tasks.due_at_ms >= ? AND (tasks.due_at_ms > ? OR tasks.id > ?)',
          [after.dueAtMs, after.dueAtMs, after.id],
        ]
      : ['', []];
    const rows = await read(
      `SELECT tasks.*, jobs.request_id AS request_id, jobs.traceparent AS traceparent, jobs.workspace_id AS workspace_id FROM tasks JOIN jobs ON jobs.id = tasks.job_id
        WHERE tasks.status = 'queued' AND tasks.published = ? AND tasks.due_at_ms < ?${later} ORDER BY tasks.due_at_ms, tasks.id LIMIT ${limit}`,
      [published ? 1 : 0, beforeMs, ...from],
    );
    return rows.map(tracedTaskOf);
  };

  return {
    async agentsInLine(nowMs, except, limit) {
      const others = except.length === 0 ? '' : ` AND workspace_id NOT IN (${except.map(() => '?').join()})`;
      const rows = await read(
        `SELECT id, workspace_id FROM agents WHERE next_due_at_ms <= ?${others} ORDER BY next_due_at_ms LIMIT ${limit}`,
        [nowMs, ...except],
      );
      return rows.map((row) => ({ agentId: row.id as string, workspaceId: row.workspace_id as string }));
    },
    async underWay() {
      const rows = await read(
        `SELECT jobs.workspace_id AS workspace_id FROM tasks JOIN jobs ON jobs.id = tasks.job_id
          WHERE tasks.status IN ('queued', 'running')`,
        [],
      );
      const counts = new Map<string, number>();
      for (const { workspace_id } of rows) {
        const workspaceId = workspace_id as string;
        counts.set(workspaceId, (counts.get(workspaceId) ?? 0) + 1);
      }
      return counts;
    },
    async agentsWithStalledTasks(nowMs, limit) {
      const agents = await ids(
        `SELECT agent_id FROM tasks WHERE status = 'running' AND lease_until_ms < ? ORDER BY lease_until_ms LIMIT ${limit}`,
        [nowMs],
        'agent_id',
      );
      return [...new Set(agents)];
    },
    unpublished: (beforeMs, limit) => queued(false, beforeMs, limit),
    async published() {
      const [row] = await read(
        `SELECT COUNT(*) AS n FROM tasks WHERE status = 'queued' AND published = 1`,
        [],
      );
      return Number(row?.n ?? 0);
    },
    untaken: (beforeMs, limit, after) => queued(true, beforeMs, limit, after),
    async markPublished(attempts) {
      if (attempts.length === 0) return;
      const numbers = [...new Set(attempts.map(({ attempt }) => attempt))];
      await transact(async (transaction) => {
        for (const number of numbers) {
          const id = attempts.filter(({ attempt }) => attempt === number).map(({ taskId }) => taskId);
          await models.tasks.update(
            { published: true },
            { where: { id, attempts: number, status: 'queued' }, transaction },
          );
        }
      });
    },
    extendLease: (taskId, attempt, untilMs, progress) =>
      transact(async (transaction) => {
        const where = { id: taskId, attempts: attempt, status: 'running' };
        const values = tasks.encode({ leaseUntilMs: untilMs, ...(progress ? { progress } : {}) });
        const [written] = await models.tasks.update(values, { where, transaction });
        return written > 0;
      }),
    forgetPublished: () =>
      transact(async (transaction) => {
        const [written] = await models.tasks.update(
          { status: 'queued', published: false, leaseUntilMs: null, dueAtMs: 0 },
          { where: { status: ['queued', 'running'] }, transaction },
        );
        return written;
      }),
    async jobsToOpen(limit) {
      // In index order: agents with the fewest open tasks first.
      const rows = await read(
        `SELECT id, agent_id FROM jobs WHERE opened_up_to IS NOT NULL ORDER BY opened_up_to LIMIT ${limit}`,
        [],
      );
      return rows.map((row) => ({ agentId: row.agent_id as string, jobId: Number(row.id) }));
    },
    async agentsWithOldJobs(before, limit) {
      const agents = await ids(
        `SELECT agent_id FROM jobs WHERE finished_at < ? ORDER BY finished_at LIMIT ${limit}`,
        [before],
        'agent_id',
      );
      return [...new Set(agents)];
    },
    async agentsToRetrain(now, baseBefore, limit) {
      const found = await Promise.all(
        [
          ['retrain_due_at <= ? ORDER BY retrain_due_at', now] as const,
          ['retrain_due_at IS NULL AND retrain_base_at <= ? ORDER BY retrain_base_at', baseBefore] as const,
          ['retrain_due_at IS NOT NULL AND retrain_base_at > ? ORDER BY retrain_base_at', now] as const,
        ].map(([condition, at]) => ids(`SELECT id FROM agents WHERE ${condition} LIMIT ${limit}`, [at])),
      );
      return [...new Set(found.flat())];
    },
  };
}

export function createUploadSweeps(connection: Connection, models: Models, transact: Transact): UploadSweeps {
  return {
    abandon: (issuedBefore, limit) =>
      transact(async (transaction) => {
        const rows = await models.uploads.findAll({
          attributes: ['storagePath', 'issuedAt'],
          where: { registeredAt: null },
          order: [['issuedAt', 'ASC']],
          limit,
          raw: true,
          // Without the lock, a concurrent registration could lose its object.
          lock: true,
          transaction,
        });
        const paths = (rows as unknown as { storagePath: string; issuedAt: number }[])
          .filter((row) => Number(row.issuedAt) <= issuedBefore)
          .map((row) => row.storagePath);
        if (paths.length === 0) return 0;
        await discard(statementsIn(connection, transaction), paths, issuedBefore);
        return models.uploads.destroy({ where: { storagePath: paths, registeredAt: null }, transaction });
      }),
    async discards(before, after, limit) {
      const behind = after === null ? '' : ' AND (created_at > ? OR (created_at = ? AND path > ?))';
      const rows = await readOnDisk(
        connection,
        `SELECT path, created_at FROM discards WHERE created_at < ?${behind} ORDER BY created_at, path LIMIT ${limit}`,
        after === null ? [before] : [before, after.discardedAt, after.discardedAt, after.path],
      );
      return rows.map((row) => ({ path: row.path as string, discardedAt: Number(row.created_at) }));
    },
    strays: (paths) => strayObjects(connection.read, paths),
    async addDiscards(paths, now) {
      await transact((transaction) => discard(statementsIn(connection, transaction), paths, now));
    },
    async discarded(discards) {
      const where = { [Op.or]: discards.map(({ path, discardedAt }) => ({ path, createdAt: discardedAt })) };
      await transact((transaction) => models.discards.destroy({ where, transaction }));
    },
  };
}
