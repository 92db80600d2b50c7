import { AccountTaken, type TurnChannel } from '../../../core/ports/store/channels/channels.js';
import { isDuplicate } from '../database/errors.js';
import { insertRow, updateRow } from '../database/row-statements.js';
import type { Statements } from '../database/statements.js';
import { cancelMessages } from '../rows/cancel-messages.js';
import {
  automationOf,
  channelAutomations,
  channelConnections,
  channelProfiles,
  connectionRowOf,
  profileRowOf,
} from '../tables/channels.js';

const ifTaken = (error: unknown): never => {
  throw isDuplicate(error) ? new AccountTaken() : error;
};

/** `execute` counts as a write of the turn. The agent's row is locked, so reads need no locks. */
export function turnChannel(
  { select, execute }: Pick<Statements, 'select' | 'execute'>,
  agentId: string,
): TurnChannel {
  return {
    async connection() {
      const [row] = await select('SELECT * FROM channel_connections WHERE agent_id = ?', [agentId]);
      return row ? connectionRowOf(row) : null;
    },
    async putConnection(row) {
      await execute('DELETE FROM channel_connections WHERE agent_id = ?', [agentId]);
      await execute(...insertRow(channelConnections, channelConnections.encode(row))).catch(ifTaken);
    },
    async changeConnection(patch) {
      const columns = channelConnections.byColumn(channelConnections.encode(patch));
      const set = Object.keys(columns).map((column) => `${column} = ?`);
      const sql = `UPDATE channel_connections SET ${set.join(', ')} WHERE agent_id = ?`;
      await execute(sql, [...Object.values(columns), agentId]).catch(ifTaken);
    },
    async automation(id) {
      const [row] = await select('SELECT * FROM channel_automations WHERE id = ? AND agent_id = ?', [
        id,
        agentId,
      ]);
      return row ? automationOf(row) : null;
    },
    async countAutomations() {
      const [row] = await select('SELECT COUNT(*) AS n FROM channel_automations WHERE agent_id = ?', [
        agentId,
      ]);
      return Number(row?.n);
    },
    async isTaken(liveTarget, exceptId) {
      const rows = await select(
        'SELECT id FROM channel_automations WHERE agent_id = ? AND live_target = ? AND id <> ?',
        [agentId, liveTarget, exceptId],
      );
      return rows.length > 0;
    },
    async insertAutomation(row) {
      await execute(...insertRow(channelAutomations, channelAutomations.encode(row)));
    },
    async updateAutomation(id, patch) {
      await execute(...updateRow(channelAutomations, id, channelAutomations.encode(patch)));
    },
    async deleteAutomation(id) {
      await execute('DELETE FROM channel_automations WHERE id = ? AND agent_id = ?', [id, agentId]);
    },
    async draftAutomations(now) {
      await execute(
        `UPDATE channel_automations SET status = 'draft', live_target = NULL, updated_at = ?
          WHERE agent_id = ? AND live_target IS NOT NULL`,
        [now, agentId],
      );
    },
    async profile(resource) {
      const [row] = await select('SELECT * FROM channel_profiles WHERE agent_id = ? AND resource = ?', [
        agentId,
        resource,
      ]);
      return row ? profileRowOf(row) : null;
    },
    async putProfile(row) {
      await execute('DELETE FROM channel_profiles WHERE agent_id = ? AND resource = ?', [
        agentId,
        row.resource,
      ]);
      await execute(...insertRow(channelProfiles, channelProfiles.encode(row)));
    },
    async deleteProfiles() {
      await execute('DELETE FROM channel_profiles WHERE agent_id = ?', [agentId]);
    },
    async stopAll(now) {
      await execute(
        `UPDATE channel_events SET status = 'skipped', reason = 'NOT_CONNECTED', ended_at = ?
          WHERE agent_id = ? AND ended_at IS NULL`,
        [now, agentId],
      );
      await cancelMessages({ execute }, now, 'agent_id = ?', [agentId]);
    },
  };
}
