import { createHash } from 'node:crypto';
import type { TaskRow } from '../../../core/ports/store/rows.js';
import { type StoredTask, storedTaskOf } from '../tables/tasks.js';
import type { TurnScope } from './scope.js';
import { undoableMap } from './undo.js';

type NewTask = Omit<TaskRow, 'jobId' | 'agentId'>;

/** A turn ends a task together with all that follow it: more of them are led by another one. */
const MOST_FOLLOWERS = 100;

/**
 * The same for tasks that one fetch can serve; null for a task that fetches nothing. A page that was deleted
 * and is new has another.
 */
const pageKeyOf = ({ type, target, isRetrain, documentId }: NewTask): string | null =>
  type === 'crawl_page' ? keyOf([target, isRetrain, isRetrain ? documentId : null]) : null;

const keyOf = (page: [target: string, isRetrain: boolean, documentId: string | null]): string =>
  createHash('sha256').update(JSON.stringify(page)).digest('hex');

/**
 * Tasks that wait for the fetch of another one, their leader. A leader is about to fetch: pending or queued,
 * and following nobody.
 */
export function sharedFetches({ agent, select, execute, tasks, write, undo }: TurnScope) {
  /** Tasks whose followers are all held. */
  const known = undoableMap<string, true>(undo);
  /** Pages that no task was about to fetch when the turn began, by their keys. */
  const free = new Set<string>();

  /** The newest task of the agent that is about to fetch each of these pages, and has room. */
  async function leadersFor(pageKeys: string[]): Promise<Map<string, string>> {
    const wanted = new Set(pageKeys);
    const isWanted = ({ pageKey }: StoredTask) => pageKey !== null && wanted.has(pageKey);
    const held = tasks.all().some(isWanted);
    if (!held && pageKeys.every((key) => free.has(key))) return new Map();
    // Tasks that the database does not have yet may lead or follow one of these.
    if (held && tasks.unwritten().some(({ now }) => isWanted(now))) await write();
    const leaders = await findLeaders(pageKeys);
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

  const findLeaders = (pageKeys: string[]) =>
    select(
      `SELECT page_key, MAX(id) AS leader FROM tasks
        WHERE agent_id = ? AND page_key IN (?) AND status IN ('pending', 'queued') AND follows IS NULL GROUP BY page_key`,
      [agent().id, pageKeys],
    );

  async function foreseeNewPages(urls: string[]): Promise<void> {
    if (urls.length === 0) return;
    const keys = [...new Set(urls)].map((url) => keyOf([url, false, null]));
    const led = new Set((await findLeaders(keys)).map(({ page_key }) => page_key));
    for (const key of keys) if (!led.has(key)) free.add(key);
  }

  /** Reads these tasks, as far as they are the agent's, and all that follow them. */
  async function foresee(taskIds: string[]): Promise<void> {
    const unknown = [...new Set(taskIds)].filter((id) => tasks.get(id) === undefined || !known.map.has(id));
    if (unknown.length === 0) return;
    const rows = await select(
      `SELECT * FROM tasks WHERE id IN (?) AND agent_id = ?
        UNION ALL SELECT * FROM tasks WHERE follows IN (?) AND status = 'pending'`,
      [unknown, agent().id, unknown],
    );
    for (const row of rows.map(storedTaskOf)) tasks.learn(row.id, row);
    for (const id of unknown) {
      tasks.learn(id, null);
      known.set(id, true);
    }
  }

  const followersOf = (taskId: string): StoredTask[] =>
    tasks
      .all()
      .filter(({ follows, status }) => follows === taskId && status === 'pending')
      .sort((a, b) => (a.id < b.id ? -1 : 1));

  /** Has the first of these tasks lead the others. */
  function lead([heir, ...others]: StoredTask[]): void {
    if (!heir) return;
    tasks.change(heir.id, { follows: null });
    for (const { id } of others) tasks.change(id, { follows: heir.id });
  }

  return {
    foresee,
    foreseeNewPages,
    /** What is written of new tasks besides themselves. */
    async columnsOf(added: NewTask[]): Promise<{ pageKey: string | null; follows: string | null }[]> {
      const keys = added.map(pageKeyOf);
      const wanted = [...new Set(keys.filter((key) => key !== null))];
      const leaders = wanted.length === 0 ? new Map<string, string>() : await leadersFor(wanted);
      return keys.map((pageKey) => ({ pageKey, follows: leaders.get(pageKey ?? '') ?? null }));
    },
    async followers(taskId: string): Promise<StoredTask[]> {
      await foresee([taskId]);
      return followersOf(taskId);
    },
    /** These tasks will fetch nothing: the first of those that follow each of them leads the others. */
    async leave(taskIds: readonly string[]): Promise<void> {
      await foresee([...taskIds]);
      for (const taskId of taskIds) lead(followersOf(taskId));
    },
    async leaveLate(taskId: string, sinceMs: number): Promise<boolean> {
      await foresee([taskId]);
      const late = followersOf(taskId).filter(({ dueAtMs }) => dueAtMs >= sinceMs);
      lead(late);
      return late.length > 0;
    },
    async gather(taskId: string): Promise<void> {
      await write();
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
      tasks.forget();
      known.clear();
      free.clear();
    },
  };
}
