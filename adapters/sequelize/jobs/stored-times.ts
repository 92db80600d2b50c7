import type { StoredTime, StoredTimes } from '../../../core/ports/store/stored-times.js';
import type { Connection } from '../database/connection.js';
import { inTransactionOf } from '../database/in-transaction.js';
import type { Transact } from '../database/transact.js';

interface Column {
  table: string;
  /** The column by which rows are updated: the first one of a unique index. */
  key: string;
  column: string;
  unit: 'ms' | 's';
  where: string | null;
}

const column =
  (unit: Column['unit']) =>
  (table: string, key: string, name: string, where: string | null = null): Column => ({
    table,
    key,
    column: name,
    unit,
    where,
  });
const ms = column('ms');
const s = column('s');

/** Except in small tables, each has an index that starts with the columns of its condition. */
const columns: Record<StoredTime, Column> = {
  agentsDue: ms('agents', 'id', 'next_due_at_ms'),
  agentsToRetrain: s('agents', 'id', 'retrain_base_at', 'retrain_due_at IS NULL'),
  answerLeases: ms('messages', 'id', 'lease_until_ms'),
  channelPauses: ms('conversations', 'id', 'human_until_ms'),
  channelRenewals: s('channel_connections', 'agent_id', 'renew_at'),
  channelRests: ms('channel_connections', 'agent_id', 'rest_until_ms'),
  claimedChannelEvents: ms('channel_events', 'id', 'due_at_ms', `status = 'running'`),
  claimedEvaluations: ms('evaluations', 'id', 'due_at_ms', `status = 'running'`),
  copyLeases: ms('agent_copies', 'agent_id', 'lease_until_ms', `status = 'running'`),
  deliveryLeases: ms('webhook_deliveries', 'id', 'lease_until_ms', `status = 'sending'`),
  dueChannelEvents: ms('channel_events', 'id', 'due_at_ms', `status = 'pending'`),
  dueDeliveries: ms('webhook_deliveries', 'id', 'due_at_ms', `status = 'pending'`),
  dueEvaluations: ms('evaluations', 'id', 'due_at_ms', `status = 'pending'`),
  dueMails: ms('mails', 'id', 'due_at_ms', `status = 'waiting'`),
  dueVectors: s('document_vectors', 'document_id', 'due_at'),
  erasureLeases: ms('erasures', 'id', 'lease_until_ms', `status = 'running'`),
  hostPauses: ms('host_pauses', 'host', 'next_at_ms'),
  identitySecrets: s('agent_secrets', 'agent_id', 'previous_until'),
  handoverMails: s('handover_mailed', 'agent_id', 'mailed_at'),
  handoverMailsCovered: s('handover_mailed', 'agent_id', 'covers_until'),
  inboxChanges: ms('conversations', 'id', 'inbox_changed_at_ms'),
  inboxReaders: s('inbox_readers', 'id', 'seen_at'),
  mailLeases: ms('mail_senders', 'id', 'lease_until_ms'),
  profileLooks: ms('channel_profiles', 'agent_id', 'look_at_ms'),
  profileSyncs: ms('channel_profiles', 'agent_id', 'lease_until_ms'),
  queuedRequests: ms('conversation_seats', 'ticket', 'lease_until_ms'),
  // The index on status and time has `published` between them.
  queuedTasks: ms('tasks', 'id', 'due_at_ms', `status = 'queued' AND published IN (0, 1)`),
  remains: s('remains', 'agent_id', 'due_at'),
  retriedTasks: ms('tasks', 'id', 'due_at_ms', `status = 'pending' AND published IN (0, 1)`),
  sendingMessages: ms('channel_messages', 'id', 'due_at_ms', `status = 'sending'`),
  taskLeases: ms('tasks', 'id', 'lease_until_ms', `status = 'running'`),
  toolCalls: s('tool_calls', 'id', 'expires_at'),
  waitingMessages: ms('channel_messages', 'id', 'due_at_ms', `status = 'waiting'`),
  webhookSecrets: s('webhooks', 'id', 'previous_until'),
};

export function createStoredTimes(connection: Connection, transact: Transact): StoredTimes {
  const { read } = connection;
  const inTransaction = inTransactionOf(connection, transact);

  /** Read first and update by key, so that no range is locked. */
  async function boundOne(
    { table, key, column, where }: Column,
    latest: number,
    limit: number,
  ): Promise<number> {
    const later = `${where === null ? '' : `${where} AND `}${column} > ?`;
    const found = await read(`SELECT ${key} AS row_key FROM ${table} WHERE ${later} LIMIT ${limit}`, [
      latest,
    ]);
    if (found.length === 0) return 0;
    const keys = found.map(({ row_key }) => row_key);
    const sql = `UPDATE ${table} SET ${column} = ? WHERE ${key} IN (?) AND ${later}`;
    return inTransaction(async ({ execute }) => (await execute(sql, [latest, keys, latest])).changed);
  }

  return {
    async bound(latestMs, limit) {
      let changed = 0;
      for (const [time, column] of Object.entries(columns) as [StoredTime, Column][]) {
        const latest = column.unit === 'ms' ? latestMs[time] : Math.ceil(latestMs[time] / 1000);
        changed += await boundOne(column, latest, limit);
      }
      return changed;
    },
  };
}
