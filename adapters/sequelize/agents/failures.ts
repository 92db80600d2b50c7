import type { Failures } from '../../../core/ports/store/agents/failures.js';
import type { Connection } from '../database/connection.js';
import { failureOf, failures } from '../tables/failures.js';

export const createFailures = ({ read }: Connection): Failures => ({
  async page(agentId, { limit, before }) {
    const rows = await read(
      `SELECT ${failures.list()} FROM failures WHERE agent_id = ?${before === null ? '' : ' AND id < ?'}
        ORDER BY id DESC LIMIT ${limit + 1}`,
      [agentId, ...(before === null ? [] : [before])],
    );
    return rows.map(failureOf);
  },
  async count(agentId) {
    const [row] = await read('SELECT COUNT(*) AS n FROM failures WHERE agent_id = ?', [agentId]);
    return Number(row?.n ?? 0);
  },
});
