import type { PageChanges } from '../../../core/ports/store/agents/page-changes.js';
import type { Connection } from '../database/connection.js';
import { statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { pageChangeOf, pageChanges } from '../tables/page-changes.js';

/** Rows that one step of the sweep deletes. */
const PIECE = 100;

export const createPageChanges = (connection: Connection, transact: Transact): PageChanges => ({
  async of(agentId, documentId, since) {
    const rows = await connection.read(
      `SELECT ${pageChanges.list()} FROM page_changes WHERE document_id = ? AND agent_id = ? AND at >= ? ORDER BY id DESC`,
      [documentId, agentId, since],
    );
    return rows.map(pageChangeOf);
  },
  forget: (before) =>
    transact(async (transaction) => {
      const { select, execute } = statementsIn(connection, transaction);
      const rows = await select(`SELECT id FROM page_changes WHERE at < ? ORDER BY at LIMIT ${PIECE}`, [
        before,
      ]);
      if (rows.length > 0)
        await execute('DELETE FROM page_changes WHERE id IN (?)', [rows.map(({ id }) => id)]);
      return rows.length === PIECE;
    }),
});
