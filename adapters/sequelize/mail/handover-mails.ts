import type { HandoverMails } from '../../../core/ports/store/handover-mails.js';
import { rolesWith } from '../../../core/schemas/permissions.js';
import type { Connection } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';
import { seek } from '../database/seek.js';
import { statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { upsert } from '../database/upsert.js';
import { mailedMembers } from './mailed-members.js';

/** Maximum agents per round, and contact details per agent. */
const MOST = 1000;

export function createHandoverMailStore(connection: Connection, transact: Transact): HandoverMails {
  const { dialect } = connection;
  const read = (sql: string, params: unknown[]) => connection.read(...withLists(sql, params));
  const requested = `conversations${seek(connection, 'conversations_inbox')}`;
  const waiting = `FROM conversations${seek(connection, 'conversations_waiting')}
          WHERE agent_id = ? AND waiting_since > 0 AND state = 'requested'`;
  const execute = (sql: string, params: unknown[]) =>
    transact((transaction) => statementsIn(connection, transaction).execute(sql, params));
  return {
    async active(since) {
      const rows = await read(
        // A join, because MariaDB evaluates a UNION under IN for each row of `agents`.
        `SELECT agents.id, agents.name, agents.workspace_id FROM agents JOIN (
            SELECT agent_id FROM ${requested} WHERE state = 'requested' AND state_since > ?
            UNION SELECT agent_id FROM contacts WHERE created_at > ?) AS found ON found.agent_id = agents.id LIMIT ${MOST}`,
        [since, since],
      );
      return rows.map((row) => ({
        id: row.id as string,
        name: row.name as string,
        workspaceId: row.workspace_id as string,
      }));
    },
    async waiting(agentId, limit) {
      const rows = await read(
        `SELECT id, title, waiting_since ${waiting} ORDER BY waiting_since LIMIT ${limit}`,
        [agentId],
      );
      return rows.map((row) => ({
        conversationId: row.id as string,
        title: row.title as string | null,
        waitingSince: Number(row.waiting_since),
      }));
    },
    async newestRequest(agentId, until) {
      const [row] = await read(`SELECT MAX(state_since) AS at ${waiting} AND state_since <= ?`, [
        agentId,
        until,
      ]);
      return row?.at == null ? null : Number(row.at);
    },
    async contactsSince(agentId, since) {
      const rows = await read(
        `SELECT created_at FROM contacts WHERE agent_id = ? AND created_at > ? LIMIT ${MOST}`,
        [agentId, since],
      );
      return rows.map((row) => Number(row.created_at));
    },
    members: (workspaceId) =>
      mailedMembers(
        read,
        rolesWith('conversations.answer'),
        'members.workspace_id = ? AND members.away = 0 ORDER BY members.id',
        [workspaceId],
      ),
    async last(agentId) {
      const rows = await read('SELECT * FROM handover_mailed WHERE agent_id = ?', [agentId]);
      return rows.map((row) => ({
        memberId: row.member_id as string,
        mailedAt: Number(row.mailed_at),
        coversUntil: Number(row.covers_until),
      }));
    },
    async mark(agentId, { memberId, mailedAt, coversUntil }) {
      const columns = ['mailed_at', 'covers_until'];
      await execute(
        upsert(dialect, 'handover_mailed', ['agent_id', 'member_id'], columns, (_, added) => added),
        [agentId, memberId, mailedAt, coversUntil],
      );
    },
    async stop(workspaceId, hash) {
      const ignore = dialect === 'mysql' ? 'INSERT IGNORE' : 'INSERT OR IGNORE';
      await execute(`${ignore} INTO stopped_addresses (workspace_id, hash) VALUES (?, ?)`, [
        workspaceId,
        hash,
      ]);
    },
  };
}
