import { Op } from 'sequelize';
import type { TaskSweeps, TracedTask, UploadSweeps } from '../../core/ports/store.port.js';
import type { Connection } from './connect.js';
import { discard } from './discard.js';
import type { Models } from './models.js';
import { tracedTaskOf } from './rows.js';
import type { Transact } from './transact.js';

/** What the sweeps of the job runtime look for; each is one indexed statement. */
export function createTaskSweeps({ read }: Connection, models: Models, transact: Transact): TaskSweeps {
  const ids = async (sql: string, params: unknown[], column = 'id') =>
    (await read(sql, params)).map((row) => row[column] as string);

  const queued = async (published: boolean, beforeMs: number, limit: number): Promise<TracedTask[]> => {
    const rows = await read(
      `SELECT tasks.*, jobs.request_id AS request_id FROM tasks JOIN jobs ON jobs.id = tasks.job_id
        WHERE tasks.status = 'queued' AND tasks.published = ? AND tasks.due_at_ms < ? ORDER BY tasks.due_at_ms LIMIT ${limit}`,
      [published ? 1 : 0, beforeMs],
    );
    return rows.map(tracedTaskOf);
  };

  return {
    agentsWithDueTasks: (nowMs, limit) =>
      ids(`SELECT id FROM agents WHERE next_due_at_ms <= ? ORDER BY next_due_at_ms LIMIT ${limit}`, [nowMs]),
    async agentsWithStalledTasks(nowMs, limit) {
      const agents = await ids(
        `SELECT agent_id FROM tasks WHERE status = 'running' AND lease_until_ms < ? ORDER BY lease_until_ms LIMIT ${limit}`,
        [nowMs],
        'agent_id',
      );
      return [...new Set(agents)];
    },
    unpublished: (beforeMs, limit) => queued(false, beforeMs, limit),
    untaken: (beforeMs, limit) => queued(true, beforeMs, limit),
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
    extendLease: (taskId, attempt, untilMs) =>
      transact(async (transaction) => {
        const where = { id: taskId, attempts: attempt, status: 'running' };
        const [written] = await models.tasks.update({ leaseUntilMs: untilMs }, { where, transaction });
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
    agentsToRetrain: (baseBefore, limit) =>
      ids(`SELECT id FROM agents WHERE retrain_base_at <= ? ORDER BY retrain_base_at LIMIT ${limit}`, [
        baseBefore,
      ]),
  };
}

export function createUploadSweeps({ read }: Connection, models: Models, transact: Transact): UploadSweeps {
  return {
    abandon: (issuedBefore, limit) =>
      transact(async (transaction) => {
        const rows = await models.uploads.findAll({
          attributes: ['path', 'issuedAt'],
          where: { registeredAt: null },
          order: [['issuedAt', 'ASC']],
          limit,
          raw: true,
          // A registration that runs now must not lose its object.
          lock: true,
          transaction,
        });
        const paths = (rows as unknown as { path: string; issuedAt: number }[])
          .filter((row) => Number(row.issuedAt) <= issuedBefore)
          .map((row) => row.path);
        if (paths.length === 0) return 0;
        await discard(models, transaction, paths, issuedBefore);
        return models.uploads.destroy({ where: { path: paths, registeredAt: null }, transaction });
      }),
    async discards(before, after, limit) {
      const behind = after === null ? '' : ' AND (created_at > ? OR (created_at = ? AND path > ?))';
      const rows = await read(
        `SELECT path, created_at FROM discards WHERE created_at < ?${behind} ORDER BY created_at, path LIMIT ${limit}`,
        after === null ? [before] : [before, after.discardedAt, after.discardedAt, after.path],
      );
      return rows.map((row) => ({ path: row.path as string, discardedAt: Number(row.created_at) }));
    },
    async addDiscards(paths, now) {
      await transact((transaction) => discard(models, transaction, paths, now));
    },
    async discarded(discards) {
      const where = { [Op.or]: discards.map(({ path, discardedAt }) => ({ path, createdAt: discardedAt })) };
      await transact((transaction) => models.discards.destroy({ where, transaction }));
    },
  };
}
