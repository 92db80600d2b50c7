import type { Contacts } from '../../../core/ports/store/conversations/contacts.js';
import { MOST_COUNTED } from '../../../core/ports/store/pages.js';
import { writeAudit } from '../audit/insert-audit.js';
import type { Connection } from '../database/connection.js';
import { seek } from '../database/seek.js';
import { statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { contactOf } from '../tables/contacts.js';

/** Maximum rows per deletion. */
const PIECE = 500;

export function createContacts(connection: Connection, transact: Transact): Contacts {
  const { read } = connection;
  const byAgent = `contacts${seek(connection, 'contacts_agent')}`;
  return {
    async page(agentId, { limit, before }) {
      const rows = await read(
        `SELECT * FROM ${byAgent} WHERE agent_id = ?${before === null ? '' : ' AND id < ?'}
          ORDER BY id DESC LIMIT ${limit + 1}`,
        before === null ? [agentId] : [agentId, before],
      );
      return rows.map(contactOf);
    },
    async count(agentId) {
      const [row] = await read(
        `SELECT COUNT(*) AS n FROM (SELECT 1 FROM ${byAgent} WHERE agent_id = ? LIMIT ${MOST_COUNTED}) counted`,
        [agentId],
      );
      return Number(row?.n ?? 0);
    },
    async find(agentId, contactId) {
      const [row] = await read('SELECT * FROM contacts WHERE id = ? AND agent_id = ?', [contactId, agentId]);
      return row ? contactOf(row) : null;
    },
    remove: (agentId, contactId) =>
      transact(async (transaction) => {
        const statements = statementsIn(connection, transaction);
        const { changed } = await statements.execute('DELETE FROM contacts WHERE id = ? AND agent_id = ?', [
          contactId,
          agentId,
        ]);
        if (changed > 0)
          await writeAudit(statements, { target: { type: 'contact', id: contactId, label: null } });
        return changed > 0;
      }),
    forget: (before) =>
      transact(async (transaction) => {
        const { select, execute } = statementsIn(connection, transaction);
        const rows = await select(
          `SELECT id FROM contacts WHERE created_at < ? ORDER BY created_at LIMIT ${PIECE}`,
          [before],
        );
        if (rows.length > 0)
          await execute('DELETE FROM contacts WHERE id IN (?)', [rows.map(({ id }) => id)]);
        return rows.length === PIECE;
      }),
  };
}
