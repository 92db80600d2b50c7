import { createHash } from 'node:crypto';
import type { TaskRow } from '../../core/ports/store/rows.js';
import { taskOf } from './tables/tasks.js';
import type { TurnScope } from './turn-scope.js';

type NewTask = Omit<TaskRow, 'jobId' | 'agentId'>;

/** A turn ends a task together with all that follow it: more of them are led by another one. */
const MOST_FOLLOWERS = 100;

/** The same for tasks that one fetch can serve; null for a task that fetches nothing. A page that was deleted and is new has another. */
export const pageKeyOf = ({ type, target, isRetrain, documentId }: NewTask): string | null =>
  type === 'crawl_page'
    ? createHash('sha256')
        .update(JSON.stringify([target, isRetrain, isRetrain ? documentId : null]))
        .digest('hex')
    : null;

/** Tasks that wait for the fetch of another one, which leads them. A leader is about to fetch: pending or queued, and follows nobody. */
export function sharedFetches({ agent, select, execute }: TurnScope) {
  /** The newest task of the agent that is about to fetch each of these pages, and has room. */
  async function leadersFor(pageKeys: string[]): Promise<Map<string, string>> {
    const leaders = await select(
      `SELECT page_key, MAX(id) AS leader FROM tasks
        WHERE agent_id = ? AND page_key IN (?) AND status IN ('pending', 'queued') AND follows IS NULL GROUP BY page_key`,
      [agent().id, pageKeys],
    );
    if (leaders.length === 0) return new Map();
    const full = await select(
      `SELECT follows FROM tasks WHERE follows IN (?) AND status = 'pending' GROUP BY follows HAVING COUNT(*) >= ${MOST_FOLLOWERS}`,
      [leaders.map(({ leader }) => leader)],
    );
    const taken = new Set(full.map(({ follows }) => follows));
    return new Map(
      leaders
        .filter(({ leader }) => !taken.has(leader))
        .map(({ page_key, leader }) => [page_key as string, leader as string]),
    );
  }

  return {
    /** What is written of new tasks besides themselves. */
    async columnsOf(tasks: NewTask[]): Promise<{ pageKey: string | null; follows: string | null }[]> {
      const keys = tasks.map(pageKeyOf);
      const wanted = keys.filter((key) => key !== null);
      const leaders = wanted.length === 0 ? new Map<string, string>() : await leadersFor(wanted);
      return keys.map((pageKey) => ({ pageKey, follows: leaders.get(pageKey ?? '') ?? null }));
    },
    async followers(taskId: string): Promise<TaskRow[]> {
      const rows = await select(`SELECT * FROM tasks WHERE follows = ? AND status = 'pending' ORDER BY id`, [
        taskId,
      ]);
      return rows.map(taskOf);
    },
    /** These tasks will fetch nothing: the first of those that follow each of them leads the others. */
    async leave(taskIds: readonly string[]): Promise<void> {
      const rows = await select(
        `SELECT id, follows FROM tasks WHERE follows IN (?) AND status = 'pending' ORDER BY id`,
        [taskIds],
      );
      const heirs = new Map<string, string>();
      for (const { id, follows } of rows)
        if (!heirs.has(follows as string)) heirs.set(follows as string, id as string);
      for (const [left, heir] of heirs) {
        await execute('UPDATE tasks SET follows = NULL WHERE id = ?', [heir]);
        await execute(`UPDATE tasks SET follows = ? WHERE follows = ? AND status = 'pending'`, [heir, left]);
      }
    },
    async startFollowers(taskId: string, now: number): Promise<void> {
      await execute(
        `UPDATE jobs SET status = 'running', started_at = ?
          WHERE status = 'pending' AND id IN (SELECT job_id FROM tasks WHERE follows = ? AND status = 'pending')`,
        [now, taskId],
      );
    },
    async gather(taskId: string): Promise<void> {
      const others = await select(
        `SELECT other.id FROM tasks mine JOIN tasks other ON other.agent_id = mine.agent_id AND other.page_key = mine.page_key
          WHERE mine.id = ? AND other.id <> mine.id AND other.status = 'pending' AND other.follows IS NULL`,
        [taskId],
      );
      if (others.length === 0) return;
      const ids = others.map(({ id }) => id);
      await execute(
        `UPDATE tasks SET follows = ? WHERE status = 'pending' AND (id IN (?) OR follows IN (?))`,
        [taskId, ids, ids],
      );
    },
  };
}
