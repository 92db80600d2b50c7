import type { InboxReaders } from '../../../core/ports/store/conversations/inbox.js';
import { rolesWith } from '../../../core/schemas/permissions.js';
import type { Connection } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';
import { statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { upsert } from '../database/upsert.js';

const answering = rolesWith('conversations.answer');

/** Condition for a member or key of this table that sees the agent. Takes the agent. */
const sees = (table: 'members' | 'api_keys', agents: string, column: string): string =>
  `(${table}.limited_to_agents = 0 OR EXISTS (SELECT 1 FROM ${agents} WHERE ${agents}.${column} = ${table}.id AND ${agents}.agent_id = ?))`;

export function createInboxReaders(connection: Connection, transact: Transact): InboxReaders {
  const { dialect, read } = connection;
  const columns = ['type', 'workspace_id', 'seen_at'];
  return {
    async touch(readers, now) {
      if (readers.length === 0) return;
      await transact((transaction) =>
        statementsIn(connection, transaction).execute(
          upsert(dialect, 'inbox_readers', ['id'], columns, (_, added) => added, readers.length),
          readers.flatMap(({ id, type, workspaceId }) => [id, type, workspaceId, now]),
        ),
      );
    },
    async isAnyAvailable({ id: agentId, workspaceId }, since) {
      const rows = await read(
        ...withLists(
          `SELECT inbox_readers.id FROM inbox_readers JOIN members ON members.id = inbox_readers.id
              JOIN users ON users.id = members.user_id
            WHERE inbox_readers.workspace_id = ? AND inbox_readers.seen_at >= ? AND members.workspace_id = ?
              AND members.joined_at IS NOT NULL AND members.disabled = 0 AND users.disabled = 0 AND members.away = 0
              AND members.role IN (?) AND ${sees('members', 'member_agents', 'member_id')}
          UNION ALL
          SELECT inbox_readers.id FROM inbox_readers JOIN api_keys ON api_keys.id = inbox_readers.id
            WHERE inbox_readers.workspace_id = ? AND inbox_readers.seen_at >= ? AND api_keys.workspace_id = ?
              AND api_keys.revoked_at IS NULL AND api_keys.scope = 'full'
              AND ${sees('api_keys', 'api_key_agents', 'key_id')}
          LIMIT 1`,
          [
            ...[workspaceId, since, workspaceId, [...answering], agentId],
            ...[workspaceId, since, workspaceId, agentId],
          ],
        ),
      );
      return rows.length > 0;
    },
    async forget(before) {
      const [old] = await read('SELECT id FROM inbox_readers WHERE seen_at < ? LIMIT 1', [before]);
      if (!old) return;
      await transact((transaction) =>
        statementsIn(connection, transaction).execute('DELETE FROM inbox_readers WHERE seen_at < ?', [
          before,
        ]),
      );
    },
  };
}
