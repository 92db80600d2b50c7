import type { TurnStatistics } from '../../../core/ports/store/conversations/statistics.js';
import { upsert } from '../database/upsert.js';
import { shardOf } from './turn-counters.js';
import type { ConversationScope } from './turn-scope.js';

const SHARDS = 4;
const DAY_MS = 86_400_000;

/** Kind of the counter of visitors' messages. It is not divided by name. */
export const visitorMessages = 'visitor_messages';

interface Count {
  day: string;
  kind: 'day' | 'source' | 'duration' | 'wait' | typeof visitorMessages;
  name: string;
  n: number;
}

/** Daily counters of the agent. Call `write` last in the turn. */
interface OwnStatistics extends TurnStatistics {
  countVisitorMessage(day: string): void;
  /** Deletes the user's rows when the user's last conversation is deleted. The counters stay. */
  forgetVisitor(nowMs: number): Promise<void>;
  write(): Promise<void>;
}

export function turnStatistics(scope: ConversationScope): OwnStatistics {
  const { dialect, conversation, execute, select, defer } = scope;
  const counts = new Map<string, Count>();
  /** Visits of this turn, and whether each is the user's first on that day. */
  const visits: { day: string; isNew: Promise<boolean> }[] = [];

  function add(day: string, kind: Count['kind'], name: string, by: number): void {
    const key = `${day} ${kind} ${name}`;
    const count = counts.get(key) ?? { day, kind, name, n: 0 };
    count.n += by;
    counts.set(key, count);
  }

  return {
    count: (day, counter, by) => add(day, 'day', counter, by),
    countCitations: (day, documentId, by) => add(day, 'source', documentId, by),
    countDuration: (day, bucket) => add(day, 'duration', String(bucket), 1),
    countWait: (day, bucket) => add(day, 'wait', String(bucket), 1),
    countVisitorMessage: (day) => add(day, visitorMessages, 'all', 1),
    countVisitor(day) {
      const { agentId, userId } = conversation();
      if (userId === null) return;
      const ignore = dialect === 'mysql' ? 'INSERT IGNORE' : 'INSERT OR IGNORE';
      const isNew = execute(
        `${ignore} INTO agent_visitors (agent_id, counted_on, user_id) VALUES (?, ?, ?)`,
        [agentId, day, userId],
      ).then(({ changed }) => changed > 0);
      // `write` reports the error.
      isNew.catch(() => {});
      visits.push({ day, isNew });
    },
    async forgetVisitor(nowMs) {
      const { id, agentId, userId } = conversation();
      if (userId === null) return;
      // A sweep deletes older days. Read without locks first, so that only existing rows are locked.
      const days = [0, 1, 2].map((ago) => new Date(nowMs - ago * DAY_MS).toISOString().slice(0, 10));
      const visits = await select(
        'SELECT counted_on FROM agent_visitors WHERE agent_id = ? AND counted_on IN (?) AND user_id = ?',
        [agentId, days, userId],
      );
      if (visits.length === 0) return;
      const others = await select(
        'SELECT id FROM conversations WHERE agent_id = ? AND user_id = ? AND id <> ? LIMIT 1',
        [agentId, userId, id],
      );
      if (others.length > 0) return;
      for (const { counted_on: day } of visits)
        defer('DELETE FROM agent_visitors WHERE agent_id = ? AND counted_on = ? AND user_id = ?', [
          agentId,
          day,
          userId,
        ]);
    },
    async write() {
      for (const { day, isNew } of visits) if (await isNew) add(day, 'day', 'visitors', 1);
      // Write in key order, so that two turns do not deadlock.
      const changed = [...counts].filter(([, { n }]) => n !== 0).sort(([a], [b]) => (a < b ? -1 : 1));
      if (changed.length === 0) return;
      const { id, agentId } = conversation();
      const shard = shardOf(id, SHARDS);
      const rows = changed.map(([, { day, kind, name, n }]) => [agentId, day, kind, name, shard, n]);
      // Pad with rows that add 0 up to a power of two, to limit the number of distinct statements.
      while (!Number.isInteger(Math.log2(rows.length))) rows.push([...(rows.at(-1) ?? []).slice(0, -1), 0]);
      const key = ['agent_id', 'counted_on', 'kind', 'name', 'shard'];
      defer(
        upsert(dialect, 'agent_counts', key, ['n'], (column, added) => `${column} + ${added}`, rows.length),
        rows.flat(),
      );
    },
  };
}
