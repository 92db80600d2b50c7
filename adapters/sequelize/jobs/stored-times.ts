import type { StoredTime, StoredTimes } from '../../../core/ports/store/stored-times.js';
import type { Connection } from '../database/connection.js';
import { inTransactionOf } from '../database/in-transaction.js';
import type { Transact } from '../database/transact.js';

interface Column {
  table: string;
  column: string;
  unit: 'ms' | 's';
  where?: string;
}

const ms = (table: string, column: string, where?: string): Column => ({
  table,
  column,
  unit: 'ms',
  ...(where ? { where } : {}),
});
const s = (table: string, column: string, where?: string): Column => ({
  ...ms(table, column, where),
  unit: 's',
});

/** Each has an index that starts with its condition, except those of small tables. */
const columns: Record<StoredTime, Column> = {
  agentsDue: ms('agents', 'next_due_at_ms'),
  agentsToRetrain: s('agents', 'retrain_base_at'),
  anonymousConversations: s('conversations', 'anonymous_at'),
  answerLeases: ms('messages', 'lease_until_ms'),
  answerStops: ms('answer_stops', 'asked_at_ms'),
  // Pauses without an end hold the largest instant.
  channelPauses: ms('channel_threads', 'paused_until_ms', `paused_until_ms < ${Number.MAX_SAFE_INTEGER}`),
  channelRenewals: s('channel_connections', 'renew_at'),
  channelRests: ms('channel_connections', 'rest_until_ms'),
  claimedChannelEvents: ms('channel_events', 'due_at_ms', `status = 'running'`),
  claimedEvaluations: ms('evaluations', 'due_at_ms', `status = 'running'`),
  connectionsEnded: s('channel_connections', 'disconnected_at'),
  conversationsUpdated: s('conversations', 'updated_at'),
  deliveriesEnded: s('webhook_deliveries', 'ended_at'),
  deliveryLeases: ms('webhook_deliveries', 'lease_until_ms', `status = 'sending'`),
  dueChannelEvents: ms('channel_events', 'due_at_ms', `status = 'pending'`),
  dueDeliveries: ms('webhook_deliveries', 'due_at_ms', `status = 'pending'`),
  dueEvaluations: ms('evaluations', 'due_at_ms', `status = 'pending'`),
  eventsEnded: s('channel_events', 'ended_at'),
  idempotencyKeys: s('chat_keys', 'created_at'),
  identitySecrets: s('agent_secrets', 'previous_until'),
  jobsFinished: s('jobs', 'finished_at'),
  messagesEnded: s('channel_messages', 'ended_at'),
  objectsToDelete: s('discards', 'created_at'),
  profileLooks: ms('channel_profiles', 'look_at_ms'),
  profileSyncs: ms('channel_profiles', 'lease_until_ms'),
  queuedRequests: ms('conversation_seats', 'lease_until_ms'),
  queuedTasks: ms('tasks', 'due_at_ms', `status = 'queued'`),
  remains: s('remains', 'due_at'),
  resolvedQuestions: s('resolved_questions', 'created_at'),
  retriedTasks: ms('tasks', 'due_at_ms', `status = 'pending'`),
  sendingMessages: ms('channel_messages', 'due_at_ms', `status = 'sending'`),
  taskLeases: ms('tasks', 'lease_until_ms', `status = 'running'`),
  uploadsIssued: s('uploads', 'issued_at', 'registered_at IS NULL'),
  waitingMessages: ms('channel_messages', 'due_at_ms', `status = 'waiting'`),
  webhookSecrets: s('webhooks', 'previous_until'),
};

export function createStoredTimes(connection: Connection, transact: Transact): StoredTimes {
  const { read, dialect } = connection;
  const inTransaction = inTransactionOf(connection, transact);

  /** Changes up to `limit` rows whose column is later. Reads first: an UPDATE that finds nothing locks the range. */
  async function change(
    { table, column, where }: Pick<Column, 'table' | 'column' | 'where'>,
    statement: { verb: string; set: string; params: unknown[] },
    latest: number | string,
    limit: number,
  ): Promise<number> {
    const later = `${where ? `${where} AND ` : ''}${column} > ?`;
    if ((await read(`SELECT ${column} FROM ${table} WHERE ${later} LIMIT 1`, [latest])).length === 0)
      return 0;
    const { verb, set, params } = statement;
    const sql =
      dialect === 'mysql'
        ? `${verb} ${table}${set} WHERE ${later} LIMIT ${limit}`
        : `${verb} ${table}${set} WHERE rowid IN (SELECT rowid FROM ${table} WHERE ${later} LIMIT ${limit})`;
    return inTransaction(async ({ execute }) => (await execute(sql, [...params, latest])).changed);
  }

  const forget = (table: string, column: string, latest: number | string, limit: number) =>
    change({ table, column }, { verb: 'DELETE FROM', set: '', params: [] }, latest, limit);

  return {
    async bound(latestMs, { subjectsMs, day }, limit) {
      let changed = 0;
      for (const [time, column] of Object.entries(columns) as [StoredTime, Column][]) {
        const latest = column.unit === 'ms' ? latestMs[time] : Math.ceil(latestMs[time] / 1000);
        const statement = { verb: 'UPDATE', set: ` SET ${column.column} = ?`, params: [latest] };
        changed += await change(column, statement, latest, limit);
      }
      changed += await forget('chat_subjects', 'spoken_at_ms', subjectsMs, limit);
      changed += await forget('agent_visitors', 'counted_on', day, limit);
      return changed;
    },
  };
}
