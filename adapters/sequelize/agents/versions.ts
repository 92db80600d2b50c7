import type { Versions } from '../../../core/ports/store/agents/versions.js';
import type { Connection } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';
import { agentVersions, versionOf } from '../tables/versions.js';

export function createVersions(connection: Connection): Versions {
  const { read } = connection;
  const columns = agentVersions.list();
  return {
    async page(agentId, { limit, before }) {
      const rows = await read(
        `SELECT ${columns} FROM agent_versions WHERE agent_id = ?${before === null ? '' : ' AND number < ?'}
          ORDER BY number DESC LIMIT ${limit + 1}`,
        [agentId, ...(before === null ? [] : [Number(before)])],
      );
      return rows.map(versionOf);
    },
    async count(agentId) {
      const [row] = await read('SELECT COUNT(*) AS n FROM agent_versions WHERE agent_id = ?', [agentId]);
      return Number(row?.n ?? 0);
    },
    async find(agentId, number) {
      const [row] = await read(`SELECT ${columns} FROM agent_versions WHERE agent_id = ? AND number = ?`, [
        agentId,
        number,
      ]);
      return row ? versionOf(row) : null;
    },
    async storedBytes(workspaceId, agentIds) {
      if (agentIds?.length === 0) return 0;
      const ofAgents = agentIds === null ? '' : ' AND agent_id IN (?)';
      const [sql, values] = withLists(
        `SELECT SUM(bytes) AS bytes FROM agent_versions WHERE workspace_id = ?${ofAgents}`,
        [workspaceId, ...(agentIds === null ? [] : [agentIds])],
      );
      const [row] = await read(sql, values);
      return Number(row?.bytes ?? 0);
    },
  };
}
