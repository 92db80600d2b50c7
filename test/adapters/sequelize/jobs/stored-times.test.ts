import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';
import { connect } from '../../../../adapters/sequelize/connect.js';
import { openStore } from '../../../../adapters/sequelize/index.js';
import { timeBounds } from '../../../../core/time-bounds.js';
import { createTables } from '../../../support/migrated-database.js';
import { mysqlMissing } from '../../../support/mysql.js';
import { columnsOf } from '../../../support/schema.js';
import { type Engine, emptyDatabase, onEachEngine } from '../../../support/service.js';
import t from '../../../support/t.js';

const NOW_MS = Date.UTC(2026, 10, 25, 12);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const YEAR = 365 * DAY;

async function database(t: Test, engine: Engine) {
  const url = await emptyDatabase(t, engine);
  await createTables(url);
  const options = { url, poolSize: 2, statementTimeoutMs: 15_000 };
  const store = openStore(options);
  const connection = connect(options);
  t.teardown(async () => {
    await connection.close();
    await store.close();
  });
  const columns = await columnsOf(connection);
  let number = 0;

  /** Inserts a row with these values, and something in every other column that needs a value. */
  async function insert(table: string, values: Record<string, unknown>): Promise<void> {
    const row: Record<string, unknown> = {};
    for (const { name, isNumber, isRequired } of columns.get(table) ?? [])
      if (isRequired) row[name] = isNumber ? ++number % 100 : randomUUID().slice(-8);
    const all = { ...row, ...values };
    await connection.sequelize.query(
      `INSERT INTO ${table} (${Object.keys(all).join(', ')}) VALUES (${Object.keys(all).map(() => '?')})`,
      { replacements: Object.values(all) },
    );
  }
  const sweep = timeBounds({
    times: store.storedTimes,
    clock: { now: () => NOW_MS },
    leaseMs: MINUTE,
  });
  const read = async (table: string, column: string): Promise<number[]> =>
    (await connection.read(`SELECT ${column} AS at FROM ${table} ORDER BY ${column}`, [])).map(({ at }) =>
      Number(at),
    );
  const empty = (table: string) => connection.sequelize.query(`DELETE FROM ${table}`);
  return { connection, columns, insert, read, empty, sweep };
}

/** Table, column, unit, status, and how far ahead the time can lie (5 s of skew not included). */
const times: [table: string, column: string, unit: 'ms' | 's', aheadMs: number, others?: object][] = [
  ['messages', 'lease_until_ms', 'ms', 8000],
  ['conversation_seats', 'lease_until_ms', 'ms', 5000],
  ['tool_calls', 'expires_at', 's', DAY],
  ['tasks', 'lease_until_ms', 'ms', MINUTE, { status: 'running' }],
  ['agent_copies', 'lease_until_ms', 'ms', MINUTE, { status: 'running' }],
  ['tasks', 'due_at_ms', 'ms', DAY, { status: 'pending', published: 0 }],
  ['tasks', 'due_at_ms', 'ms', 0, { status: 'queued', published: 1 }],
  ['agents', 'next_due_at_ms', 'ms', DAY],
  ['agents', 'retrain_base_at', 's', 0],
  ['document_vectors', 'due_at', 's', 6 * HOUR],
  ['host_pauses', 'next_at_ms', 'ms', HOUR],
  ['channel_events', 'due_at_ms', 'ms', 15_000, { status: 'running' }],
  ['channel_events', 'due_at_ms', 'ms', MINUTE, { status: 'pending' }],
  ['channel_messages', 'due_at_ms', 'ms', HOUR, { status: 'waiting' }],
  ['channel_messages', 'due_at_ms', 'ms', HOUR, { status: 'sending' }],
  ['channel_connections', 'rest_until_ms', 'ms', HOUR],
  ['channel_connections', 'renew_at', 's', 30 * DAY],
  ['conversations', 'human_until_ms', 'ms', YEAR],
  ['conversations', 'inbox_changed_at_ms', 'ms', 0],
  ['inbox_readers', 'seen_at', 's', 0],
  ['handover_mailed', 'mailed_at', 's', 0],
  ['handover_mailed', 'covers_until', 's', 0],
  ['channel_profiles', 'lease_until_ms', 'ms', 30_000],
  ['channel_profiles', 'look_at_ms', 'ms', HOUR],
  ['evaluations', 'due_at_ms', 'ms', 15_000, { status: 'running' }],
  ['evaluations', 'due_at_ms', 'ms', 10_000, { status: 'pending' }],
  ['webhook_deliveries', 'lease_until_ms', 'ms', 10 * MINUTE, { status: 'sending' }],
  ['webhook_deliveries', 'due_at_ms', 'ms', 8 * HOUR, { status: 'pending' }],
  ['mails', 'due_at_ms', 'ms', DAY, { status: 'waiting' }],
  ['mail_senders', 'lease_until_ms', 'ms', 2 * MINUTE],
  ['erasures', 'lease_until_ms', 'ms', 2 * MINUTE, { status: 'running' }],
  ['webhooks', 'previous_until', 's', DAY],
  ['agent_secrets', 'previous_until', 's', DAY],
  ['remains', 'due_at', 's', 2 * MINUTE],
];

/** Begin retention periods: a time ahead only delays the deletion, but a wrong correction would delete too early. */
const retained = [
  'agent_counts.counted_on',
  'agent_visitors.counted_on',
  'answer_stops.asked_at_ms',
  'channel_connections.disconnected_at',
  'channel_events.ended_at',
  'channel_messages.ended_at',
  'chat_keys.created_at',
  'chat_subjects.spoken_at_ms',
  'conversations.anonymous_at',
  'conversations.updated_at',
  'discards.created_at',
  'evaluations.ended_at',
  'jobs.finished_at',
  'contacts.created_at',
  'erasures.ended_at',
  'erased_visitors.ends_at',
  'mails.ended_at',
  'resolved_questions.created_at',
  'uploads.issued_at',
  'visitor_counts.counted_on',
  'webhook_deliveries.ended_at',
];

const uncorrected = [
  // People: a longer life of a session is harmless, and waits have a longest time.
  'devices.ends_at',
  'identities.created_at',
  'links.ends_at',
  'members.created_at',
  'members.joined_at',
  'members.last_seen_at',
  'sessions.created_at',
  'sessions.ends_at',
  'sessions.last_seen_at',
  'sign_in_counts.changed_at_ms',
  'sign_in_counts.wait_until_ms',
  'users.created_at',
  'users.proven_at',

  // The turn of the agent corrects it, because it depends on the schedule.
  'agents.retrain_due_at',

  // Shown to people, or compared with each other.
  'agent_secrets.created_at',
  'agent_versions.created_at',
  'agent_drafts.updated_at',
  'agents.created_at',
  'documents.updated_at',
  'erased_visitors.erased_at',
  'erasures.created_at',
  'mails.created_at',
  'agents.last_trained_at',
  'agents.retrained_at',
  'api_keys.created_at',
  'api_keys.last_used_at',
  'api_keys.revoked_at',
  'channel_automations.created_at',
  'channel_automations.updated_at',
  'channel_connections.connected_at',
  'channel_events.received_at_ms',
  'channel_messages.created_at',
  'channel_messages.sent_at',
  'channel_profiles.confirmed_at',
  'channel_profiles.desired_at',
  'channel_profiles.started_at',
  'conversations.created_at',
  'conversations.state_since',
  'conversations.waiting_since',
  'documents.created_at',
  'documents.last_crawled_at',
  'evaluation_questions.created_at',
  'evaluations.created_at',
  'evaluations.started_at',
  'jobs.cancelled_at',
  'jobs.created_at',
  'jobs.started_at',
  'sites.created_at',
  'sites.last_at',
  'messages.counted_on',
  'messages.created_at',
  'uploads.registered_at',
  'webhook_deliveries.created_at',
  'webhook_deliveries.last_attempt_at',
  'webhooks.created_at',
  'pictures.created_at',
  'agent_copies.created_at',
  'workspaces.created_at',
  // Chosen by a person or by the platform.
  'api_keys.expires_at',
  'channel_connections.token_expires_at',
  'channel_messages.expires_at_ms',
  'channel_threads.window_until_ms',
  // Readers ignore times after now.
  'channel_connections.replies_tat_ms',
  'channel_connections.sends_tat_ms',
  'channel_messages.began_at_ms',
  'channel_threads.limit_told_until_ms',
  'channel_threads.quota_told_on',
  // Days of usage counters.
  'credit_counts.counted_on',
  // Begin periods that end in giving up: a correction by a clock that is behind would end them too early.
  'channel_events.first_try_at_ms',
  'webhook_deliveries.expires_at_ms',
  'site_pages.gone_at',
  'webhooks.failing_since_ms',
];

await onEachEngine('stored times farther ahead than they can be are brought back', async (t, engine) => {
  const { insert, read, empty, sweep } = await database(t, engine);
  const SKEW = 5000;
  for (const [n, [table, column, unit, aheadMs, others = {}]] of times.entries()) {
    const factor = unit === 's' ? 1000 : 1;
    await empty(table);
    const plausible = (NOW_MS + aheadMs) / factor;
    for (const value of [plausible - 1, (NOW_MS + 2 * YEAR) / factor + n])
      await insert(table, { ...others, [column]: value });
    while (await sweep.run());
    const left = await read(table, column);
    t.strictSame(
      left,
      [plausible - 1, (NOW_MS + aheadMs + SKEW) / factor],
      `${table}.${column} ${JSON.stringify(others)}`,
    );
  }
});

await onEachEngine('a clock that is behind shortens no retention period', async (t, engine) => {
  const { insert, read, empty, sweep, columns } = await database(t, engine);
  for (const name of retained) {
    const [table = '', column = ''] = name.split('.');
    const isNumber = columns.get(table)?.find((each) => each.name === column)?.isNumber;
    const later = column.endsWith('_ms') ? NOW_MS + YEAR : (NOW_MS + YEAR) / 1000;
    await empty(table);
    await insert(table, { [column]: isNumber ? later : '2027' });
    await sweep.run();
    t.strictSame(await read(table, column), [isNumber ? later : 2027], name);
  }
});

await onEachEngine('every stored time is corrected, or is known to need no correction', async (t, engine) => {
  const { columns } = await database(t, engine);
  const names = [...columns].flatMap(([table, all]) => all.map(({ name }) => `${table}.${name}`));
  const found = names.filter((name) => /_(at|on|until|since|tat)(_ms)?$/.test(name));
  const corrected = times.map(([table, column]) => `${table}.${column}`);
  t.strictSame(found.toSorted(), [...new Set([...corrected, ...retained, ...uncorrected])].toSorted());
});

await t.test(
  'a correction does not wait for locks of rows on time',
  { skip: await mysqlMissing() },
  async (t) => {
    const { connection, insert, read, sweep } = await database(t, 'mysql');
    const pending = { status: 'pending', published: 0 };
    await insert('tasks', { ...pending, id: 'on time', due_at_ms: NOW_MS });
    await insert('tasks', { ...pending, id: 'ahead', due_at_ms: NOW_MS + 2 * YEAR });
    const transaction = await connection.sequelize.transaction();
    await connection.sequelize.query(`SELECT id FROM tasks WHERE id = 'on time' FOR UPDATE`, { transaction });
    try {
      await sweep.run();
      t.strictSame(await read('tasks', 'due_at_ms'), [NOW_MS, NOW_MS + DAY + 5000]);
    } finally {
      await transaction.rollback();
    }
  },
);
