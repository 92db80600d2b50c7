import type { Visitors } from '../../../core/ports/store/conversations/visitors.js';
import { visitorMessages } from '../conversations/turn-statistics.js';
import type { Connection } from '../database/connection.js';
import { isDuplicate } from '../database/errors.js';
import { withLists } from '../database/in-lists.js';
import { statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { upsert } from '../database/upsert.js';
import { insertDeliveries } from '../rows/insert-deliveries.js';
import { storedBytes } from '../rows/stored-bytes.js';
import { visitedFields, visitedOf } from '../tables/visitors.js';

/** Row of `meta` with the time at which a header was last ignored. */
const IGNORED_HEADER = 'ignored_forwarded_for';
/** Shard of the row that marks a day as announced. It counts no messages. */
const ANNOUNCED = -1;

export function createVisitors(connection: Connection, transact: Transact): Visitors {
  const { read, dialect } = connection;
  return {
    async agent(agentId) {
      const [row] = await read(
        `SELECT ${visitedFields} FROM agents JOIN workspaces ON workspaces.id = agents.workspace_id
          LEFT JOIN agent_secrets ON agent_secrets.agent_id = agents.id AND agent_secrets.name = 'identity'
          WHERE agents.id = ?`,
        [agentId],
      );
      return row ? visitedOf(row) : null;
    },
    async messagesOn(workspaceId, day) {
      const [row] = await read(
        'SELECT COALESCE(SUM(messages), 0) AS messages FROM visitor_counts WHERE workspace_id = ? AND counted_on = ?',
        [workspaceId, day],
      );
      return Number(row?.messages ?? 0);
    },
    async messagesTo(agentIds, day) {
      const [row] = await read(
        ...withLists(
          `SELECT COALESCE(SUM(n), 0) AS n FROM agent_counts WHERE agent_id IN (?) AND counted_on = ? AND kind = ?`,
          [agentIds, day, visitorMessages],
        ),
      );
      return Number(row?.n ?? 0);
    },
    storedBytes: (workspaceId, agentIds) => storedBytes(read, workspaceId, agentIds),
    async announceOnce(workspaceId, day, event) {
      try {
        await transact(async (transaction) => {
          const statements = statementsIn(connection, transaction);
          await statements.execute(
            'INSERT INTO visitor_counts (workspace_id, counted_on, shard, messages) VALUES (?, ?, ?, 0)',
            [workspaceId, day, ANNOUNCED],
          );
          await insertDeliveries(statements, workspaceId, [event]);
        }, workspaceId);
      } catch (error) {
        // Another process was first.
        if (!isDuplicate(error)) throw error;
      }
    },
    noteIgnoredHeader: (at) =>
      transact(async (transaction) => {
        const { execute } = statementsIn(connection, transaction);
        const sql = upsert(dialect, 'meta', ['name'], ['value'], (_, added) => added);
        await execute(sql, [IGNORED_HEADER, String(at)]);
      }),
    async ignoredHeaderAt() {
      const [row] = await read('SELECT value FROM meta WHERE name = ?', [IGNORED_HEADER]);
      return row ? Number(row.value) : null;
    },
    forget: (beforeDay, limit) =>
      transact(async (transaction) => {
        const { execute } = statementsIn(connection, transaction);
        const some =
          dialect === 'mysql'
            ? `DELETE FROM visitor_counts WHERE counted_on < ? ORDER BY counted_on LIMIT ${limit}`
            : `DELETE FROM visitor_counts WHERE rowid IN (SELECT rowid FROM visitor_counts WHERE counted_on < ? ORDER BY counted_on LIMIT ${limit})`;
        return (await execute(some, [beforeDay])).changed;
      }),
  };
}
