import type { DayCounter, StatisticsReads } from '../../../core/ports/store/conversations/statistics.js';
import { MOST_COUNTED } from '../../../core/ports/store/pages.js';
import type { Connection } from '../database/connection.js';
import { seek } from '../database/seek.js';

const ofKind = 'WHERE agent_id = ? AND counted_on BETWEEN ? AND ? AND kind = ?';

/** Reads of the counters of an agent. */
export function createStatisticsReads(connection: Connection): StatisticsReads {
  const { read } = connection;

  async function histogram(agentId: string, from: string, to: string, kind: 'duration' | 'wait') {
    const rows = await read(`SELECT name, SUM(n) AS n FROM agent_counts ${ofKind} GROUP BY name`, [
      agentId,
      from,
      to,
      kind,
    ]);
    return rows
      .map((row) => ({ bucket: Number(row.name), n: Number(row.n) }))
      .sort((a, b) => a.bucket - b.bucket);
  }

  return {
    async days(agentId, from, to) {
      const rows = await read(
        `SELECT counted_on, name, SUM(n) AS n FROM agent_counts ${ofKind} GROUP BY counted_on, name HAVING SUM(n) <> 0`,
        [agentId, from, to, 'day'],
      );
      return rows.map((row) => ({
        day: row.counted_on as string,
        counter: row.name as DayCounter,
        n: Number(row.n),
      }));
    },
    async topSources(agentId, from, to, limit) {
      const rows = await read(
        `SELECT documents.id, documents.title, cited.n FROM
          (SELECT name, SUM(n) AS n FROM agent_counts ${ofKind} GROUP BY name HAVING SUM(n) > 0) AS cited
          JOIN documents ON documents.id = cited.name ORDER BY cited.n DESC, documents.id LIMIT ${limit}`,
        [agentId, from, to, 'source'],
      );
      return rows.map((row) => ({
        documentId: row.id as string,
        title: row.title as string,
        citations: Number(row.n),
      }));
    },
    async waiting(agentId) {
      const [row] = await read(
        `SELECT COUNT(*) AS n FROM (SELECT id FROM conversations${seek(connection, 'conversations_waiting')}
          WHERE agent_id = ? AND waiting_since > 0 AND state IN ('requested', 'human') LIMIT ${MOST_COUNTED}) AS waiting`,
        [agentId],
      );
      return Number(row?.n ?? 0);
    },
    durations: (agentId, from, to) => histogram(agentId, from, to, 'duration'),
    waits: (agentId, from, to) => histogram(agentId, from, to, 'wait'),
  };
}
