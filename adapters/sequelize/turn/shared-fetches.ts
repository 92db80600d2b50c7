import { createHash } from 'node:crypto';
import type { TaskRow } from '../../../core/ports/store/rows.js';
import { type StoredTask, storedTaskOf } from '../tables/tasks.js';
import type { TurnScope } from './scope.js';
import { undoableMap } from './undo.js';

type NewTask = Omit<TaskRow, 'jobId' | 'agentId'>;

/** Maximum followers of a task: one turn ends them all. */
const MAX_FOLLOWERS = 100;

/**
 * Returns a key that is equal for tasks that one fetch can serve. It differs if the page was deleted and added again.
 * Null for tasks that fetch nothing.
 */
const pageKeyOf = ({ type, target, isRetrain, documentId }: NewTask): string | null =>
  type === 'crawl_page' ? keyOf([target, isRetrain, isRetrain ? documentId : null]) : null;

const keyOf = (page: [target: string, isRetrain: boolean, documentId: string | null]): string =>
  createHash('sha256').update(JSON.stringify(page)).digest('hex');

/** Tasks attached to the fetch of another open task of the agent, their leader. A leader follows no task. */
export function sharedFetches({ agent, select, pending: { tasks }, write, undo }: TurnScope) {
  /** Tasks whose followers have all been read. */
  const known = undoableMap<string, true>(undo);

  /** Returns the newest leader of each page that may take another follower. */
  async function leadersFor(pageKeys: string[]): Promise<Map<string, string>> {
    const wanted = new Set(pageKeys);
    const isWanted = ({ pageKey }: StoredTask) => pageKey !== null && wanted.has(pageKey);
    // Unwritten tasks may lead or follow these.
    if (tasks.unwritten().some(({ now }) => isWanted(now))) await write();
    const leaders = await select(
      `SELECT page_key, MAX(id) AS leader FROM tasks
        WHERE agent_id = ? AND page_key IN (?) AND status IN ('pending', 'queued', 'running') AND follows IS NULL
          AND (SELECT COUNT(*) FROM tasks other WHERE other.follows = tasks.id AND other.status = 'pending') < ${MAX_FOLLOWERS}
        GROUP BY page_key`,
      [agent().id, pageKeys],
    );
    return new Map(leaders.map(({ page_key, leader }) => [page_key as string, leader as string]));
  }

  /** Reads those of the tasks that belong to the agent, and their followers. */
  async function load(taskIds: string[]): Promise<void> {
    const unknown = [...new Set(taskIds)].filter((id) => tasks.get(id) === undefined || !known.map.has(id));
    if (unknown.length === 0) return;
    const rows = await select(
      `SELECT * FROM tasks WHERE id IN (?) AND agent_id = ?
        UNION ALL SELECT * FROM tasks WHERE follows IN (?) AND status = 'pending'`,
      [unknown, agent().id, unknown],
    );
    for (const row of rows.map(storedTaskOf)) tasks.cache(row.id, row);
    for (const id of unknown) {
      tasks.cache(id, null);
      known.cache(id, true);
    }
  }

  const followersOf = (taskId: string): StoredTask[] =>
    tasks
      .all()
      .filter(({ follows, status }) => follows === taskId && status === 'pending')
      .sort((a, b) => (a.id < b.id ? -1 : 1));

  return {
    load,
    /** Returns the additional columns of new tasks. */
    async columnsOf(added: NewTask[]): Promise<{ pageKey: string | null; follows: string | null }[]> {
      const keys = added.map(pageKeyOf);
      const wanted = [...new Set(keys.filter((key) => key !== null))];
      const leaders = wanted.length === 0 ? new Map<string, string>() : await leadersFor(wanted);
      return keys.map((pageKey) => ({ pageKey, follows: leaders.get(pageKey ?? '') ?? null }));
    },
    async followers(taskId: string): Promise<StoredTask[]> {
      await load([taskId]);
      return followersOf(taskId);
    },
    /** Cancels tasks: the first follower of each becomes the leader of the others. */
    async leave(taskIds: readonly string[]): Promise<void> {
      await load([...taskIds]);
      for (const taskId of taskIds) {
        const [heir, ...others] = followersOf(taskId);
        if (heir) tasks.change(heir.id, { follows: null });
        for (const { id } of others) tasks.change(id, { follows: heir?.id ?? null });
      }
    },
  };
}
