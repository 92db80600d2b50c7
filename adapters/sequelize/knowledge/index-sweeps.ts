import type { IndexSweeps } from '../../../core/ports/store/sweeps.js';
import { ANALYSIS } from '../../../core/retrieval/analysis/analyse.js';
import type { Connection } from '../database/connection.js';
import type { Transact } from '../database/transact.js';
import { documentsCount } from '../tables/agents.js';

/** Finds documents with an outdated index, agent by agent; each query is one indexed statement. */
export function createIndexSweeps({ read, sequelize }: Connection, transact: Transact): IndexSweeps {
  const write = (sql: string, replacements: unknown[]) =>
    transact(async (transaction) => {
      await sequelize.query(sql, { replacements, transaction });
    });

  return {
    async agentsToIndex(limit) {
      const rows = await read(
        `SELECT id FROM agents WHERE analysis < ? ORDER BY analysis, id LIMIT ${limit}`,
        [ANALYSIS],
      );
      return rows.map((row) => row.id as string);
    },
    async documentsToIndex(agentId, after, limit) {
      const rows = await read(
        `SELECT documents.id FROM documents LEFT JOIN document_terms ON document_id = id
          WHERE documents.agent_id = ? AND id > ? AND (document_id IS NULL OR analysis < ?) ORDER BY id LIMIT ${limit}`,
        [agentId, after, ANALYSIS],
      );
      return rows.map((row) => row.id as string);
    },
    async left() {
      const [row] = await read(
        `SELECT COUNT(*) AS agents, COALESCE(SUM(${documentsCount}), 0) AS documents
          FROM agents WHERE analysis < ?`,
        [ANALYSIS],
      );
      return { agents: Number(row?.agents ?? 0), documents: Number(row?.documents ?? 0) };
    },
    async reopen(agentId) {
      // Documents stay searchable by their old terms until they are reindexed.
      await write('UPDATE document_terms SET analysis = 0 WHERE agent_id = ?', [agentId]);
      await write('UPDATE agents SET analysis = 0 WHERE id = ?', [agentId]);
    },
  };
}
