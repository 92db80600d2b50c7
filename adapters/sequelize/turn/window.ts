import type { Row } from '../connection.js';
import { type StoredTask, storedTaskOf } from '../tables/tasks.js';
import type { TurnScope } from './scope.js';

/** What is under way, and what waits for room, as the database has it. */
interface TurnWindow {
  /** Reads both at once, the first `limit` that wait, for whoever asks before the turn writes. */
  foresee(limit: number): Promise<void>;
  underWay(): Promise<Row[]>;
  /** At least the first `limit` of the agent, if there are so many. */
  waiting(limit: number): Promise<StoredTask[]>;
}

/**
 * A driver keeps each text of a statement: of this one there are few. Turns ask for the first
 * that gets no place, too.
 */
const roundedUp = (limit: number): number => 2 ** Math.ceil(Math.log2(limit - 1)) + 1;

export function turnWindow({ agent, select, written }: TurnScope): TurnWindow {
  let seen: { underWay: Row[]; waiting: StoredTask[]; most: number; at: number } | null = null;

  const readUnderWay = () =>
    select(
      `SELECT COUNT(*) AS total, SUM(CASE WHEN jobs.workspace_id = ? THEN 1 ELSE 0 END) AS workspace,
        SUM(CASE WHEN tasks.agent_id = ? THEN 1 ELSE 0 END) AS agent
        FROM tasks JOIN jobs ON jobs.id = tasks.job_id WHERE tasks.status IN ('queued', 'running')`,
      [agent().workspaceId, agent().id],
    );

  async function readWaiting(most: number): Promise<StoredTask[]> {
    const rows = await select(
      `SELECT * FROM tasks WHERE agent_id = ? AND status = 'pending' AND follows IS NULL ORDER BY due_at_ms, id LIMIT ${most}`,
      [agent().id],
    );
    return rows.map(storedTaskOf);
  }

  const current = () => (seen?.at === written() ? seen : null);

  return {
    async foresee(limit) {
      const at = written();
      const most = roundedUp(limit);
      const [underWay, waiting] = await Promise.all([readUnderWay(), readWaiting(most)]);
      seen = { underWay, waiting, most, at };
    },
    underWay: async () => current()?.underWay ?? readUnderWay(),
    async waiting(limit) {
      const found = current();
      if (found && (found.waiting.length < found.most || limit <= found.most)) return found.waiting;
      return readWaiting(roundedUp(limit));
    },
  };
}
