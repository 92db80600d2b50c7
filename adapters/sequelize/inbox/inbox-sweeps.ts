import type { InboxSweeps } from '../../../core/ports/store/conversations/inbox.js';
import { rolesWith } from '../../../core/schemas/permissions.js';
import type { Connection, Row } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';
import { seek } from '../database/seek.js';

const answering = rolesWith('conversations.answer');

/** Condition for a member or key of this table that sees the agent of the conversation. */
const sees = (table: 'members' | 'api_keys', agents: string, column: string): string =>
  `(${table}.limited_to_agents = 0 OR EXISTS (SELECT 1 FROM ${agents} WHERE ${agents}.${column} = ${table}.id
    AND ${agents}.agent_id = conversations.agent_id))`;

const idOf = (row: Row): string => row.id as string;

/** Queries of the sweeps. They read the conversations in a state, of which only few are not answered by the agent. */
export function createInboxSweeps(connection: Connection): InboxSweeps {
  const { read } = connection;
  const from = `FROM conversations${seek(connection, 'conversations_inbox')}`;
  return {
    async endedPauses(nowMs, limit) {
      const rows = await read(
        `SELECT id FROM conversations${seek(connection, 'conversations_human')}
          WHERE human_until_ms <= ? LIMIT ${limit}`,
        [nowMs],
      );
      return rows.map(idOf);
    },
    async unanswered(before, limit) {
      const rows = await read(
        `SELECT id ${from} WHERE state = 'human' AND waiting_since <= ? AND state_since <= ?
          AND assignee_id IS NOT NULL LIMIT ${limit}`,
        [before, before],
      );
      return rows.map(idOf);
    },
    async withoutAssignee(limit) {
      const rows = await read(
        ...withLists(
          `SELECT conversations.id, conversations.assignee_id ${from}
            WHERE state = 'human' AND assignee_id IS NOT NULL
            AND NOT EXISTS (SELECT 1 FROM members JOIN users ON users.id = members.user_id
              WHERE members.id = conversations.assignee_id AND members.disabled = 0 AND users.disabled = 0
              AND members.role IN (?) AND ${sees('members', 'member_agents', 'member_id')})
            AND NOT EXISTS (SELECT 1 FROM api_keys WHERE api_keys.id = conversations.assignee_id
              AND api_keys.revoked_at IS NULL AND api_keys.scope = 'full'
              AND ${sees('api_keys', 'api_key_agents', 'key_id')})
            LIMIT ${limit}`,
          [[...answering]],
        ),
      );
      return rows.map((row) => ({ id: idOf(row), assigneeId: row.assignee_id as string }));
    },
    async silent(before, limit) {
      const rows = await read(
        `SELECT id ${from} WHERE state IN ('requested', 'human') AND updated_at <= ?
          AND (state = 'requested' OR assignee_id IS NOT NULL OR source = 'widget') LIMIT ${limit}`,
        [before],
      );
      return rows.map(idOf);
    },
  };
}
