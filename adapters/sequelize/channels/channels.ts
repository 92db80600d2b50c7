import type { Channels } from '../../../core/ports/store/channels/channels.js';
import type { Connection } from '../database/connection.js';
import { inTransactionOf } from '../database/in-transaction.js';
import { seek } from '../database/seek.js';
import type { Transact } from '../database/transact.js';
import { automationOf, connectionRowOf, profileRowOf } from '../tables/channels.js';

export function createChannels(connection: Connection, transact: Transact): Channels {
  const { read } = connection;
  const inTransaction = inTransactionOf(connection, transact);
  return {
    async connection(agentId) {
      const [row] = await read('SELECT * FROM channel_connections WHERE agent_id = ?', [agentId]);
      return row ? connectionRowOf(row) : null;
    },
    async automation(agentId, id) {
      const [row] = await read('SELECT * FROM channel_automations WHERE id = ? AND agent_id = ?', [
        id,
        agentId,
      ]);
      return row ? automationOf(row) : null;
    },
    async automations(agentId, { limit, before }, status) {
      const conditions = [
        'agent_id = ?',
        ...(before ? ['id < ?'] : []),
        ...(status ? ['status = ?'] : []),
      ].join(' AND ');
      const rows = await read(
        `SELECT * FROM channel_automations${seek(connection, 'channel_automations_list')} WHERE ${conditions}
          ORDER BY id DESC LIMIT ${limit + 1}`,
        [agentId, ...(before ? [before] : []), ...(status ? [status] : [])],
      );
      return rows.map(automationOf);
    },
    async countAutomations(agentId, status) {
      const [row] = await read(
        `SELECT COUNT(*) AS n FROM channel_automations WHERE agent_id = ?${status ? ' AND status = ?' : ''}`,
        status ? [agentId, status] : [agentId],
      );
      return Number(row?.n);
    },
    async profile(agentId, resource) {
      const [row] = await read('SELECT * FROM channel_profiles WHERE agent_id = ? AND resource = ?', [
        agentId,
        resource,
      ]);
      return row ? profileRowOf(row) : null;
    },
    async lostSyncs(nowMs, limit) {
      const rows = await read(
        `SELECT * FROM channel_profiles WHERE lease_until_ms <= ? AND COALESCE(look_at_ms, 0) <= ? LIMIT ${limit}`,
        [nowMs, nowMs],
      );
      return rows.map(profileRowOf);
    },
    async putOffLook({ agentId, resource, leaseToken, lookAtMs }) {
      await inTransaction(({ execute }) =>
        execute(
          'UPDATE channel_profiles SET look_at_ms = ? WHERE agent_id = ? AND resource = ? AND lease_token = ?',
          [lookAtMs, agentId, resource, leaseToken],
        ),
      );
    },
    async toRenew(now, limit) {
      const rows = await read(
        `SELECT * FROM channel_connections WHERE renew_at <= ? ORDER BY renew_at LIMIT ${limit}`,
        [now],
      );
      return rows.map(connectionRowOf);
    },
    async forgetConnections(before, limit) {
      const rows = await read(
        `SELECT agent_id FROM channel_connections WHERE disconnected_at < ? ORDER BY disconnected_at LIMIT ${limit}`,
        [before],
      );
      if (rows.length === 0) return 0;
      const { changed } = await inTransaction(({ execute }) =>
        execute('DELETE FROM channel_connections WHERE agent_id IN (?) AND disconnected_at < ?', [
          rows.map((row) => row.agent_id),
          before,
        ]),
      );
      return changed;
    },
  };
}
