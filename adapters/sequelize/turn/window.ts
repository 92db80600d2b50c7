import type { Row } from '../connect.js';
import { type StoredTask, storedTaskOf } from '../tables/tasks.js';
import type { TurnScope } from './scope.js';

/** What is under way, and what waits for room, as the database has it. */
interface TurnWindow {
  /** Reads both at once, for whoever asks before the turn writes. */
  foresee(): Promise<void>;
  underWay(): Promise<Row[]>;
  /** At least the first `limit` of the agent, if there are so many. */
  waiting(limit: number): Promise<StoredTask[]>;
}

/** Enough for most turns: what they change, and what takes its place. */
const FORESEEN = 64;

export function turnWindow({ agent, select, written }: TurnScope): TurnWindow {
  let seen: { underWay: Row[]; waiting: StoredTask[]; at: number } | null = null;

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
    async foresee() {
      const at = written();
      const [underWay, waiting] = await Promise.all([readUnderWay(), readWaiting(FORESEEN)]);
      seen = { underWay, waiting, at };
    },
    underWay: async () => current()?.underWay ?? readUnderWay(),
    async waiting(limit) {
      const found = current()?.waiting;
      if (found && (found.length < FORESEEN || limit <= FORESEEN)) return found;
      return readWaiting(2 ** Math.ceil(Math.log2(limit)));
    },
  };
}
