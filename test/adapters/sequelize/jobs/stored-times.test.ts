import { randomUUID } from 'node:crypto';
import type { Test } from 'tap';
import { connect } from '../../../../adapters/sequelize/database/connect.js';
import { openStore } from '../../../../adapters/sequelize/index.js';
import { storedTimes } from '../../../../core/ports/store/stored-times.js';
import { timeBounds } from '../../../../core/time-bounds.js';
import { createTables } from '../../../support/migrated-database.js';
import { columnsOf } from '../../../support/schema.js';
import { type Engine, emptyDatabase, onEachEngine } from '../../../support/service.js';

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
    jobs: { backoffMaxMs: 10 * MINUTE },
    channels: { gatherMs: 2500, humanPauseSeconds: 3600 },
    leaseMs: MINUTE,
  });
  const read = async (table: string, column: string): Promise<number[]> =>
    (await connection.read(`SELECT ${column} AS at FROM ${table} ORDER BY ${column}`, [])).map(({ at }) =>
      Number(at),
    );
  const empty = (table: string) => connection.sequelize.query(`DELETE FROM ${table}`);
  return { insert, read, empty, sweep };
}

/** Table, column, unit, status, and how far ahead the time can lie (5 s of skew included). */
const times: [table: string, column: string, unit: 'ms' | 's', aheadMs: number, others?: object][] = [
  ['messages', 'lease_until_ms', 'ms', 8000],
  ['conversation_seats', 'lease_until_ms', 'ms', 5000],
  ['tasks', 'lease_until_ms', 'ms', MINUTE, { status: 'running' }],
  ['tasks', 'due_at_ms', 'ms', HOUR, { status: 'pending' }],
  ['tasks', 'due_at_ms', 'ms', 0, { status: 'queued' }],
  ['agents', 'next_due_at_ms', 'ms', HOUR],
  ['agents', 'retrain_base_at', 's', 0],
  ['channel_events', 'due_at_ms', 'ms', 15_000, { status: 'running' }],
  ['channel_events', 'due_at_ms', 'ms', 5000, { status: 'pending' }],
  ['channel_messages', 'due_at_ms', 'ms', HOUR, { status: 'waiting' }],
  ['channel_messages', 'due_at_ms', 'ms', HOUR, { status: 'sending' }],
  ['channel_connections', 'rest_until_ms', 'ms', HOUR],
  ['channel_connections', 'renew_at', 's', 30 * DAY],
  ['channel_threads', 'paused_until_ms', 'ms', HOUR],
  ['channel_profiles', 'lease_until_ms', 'ms', 30_000],
  ['channel_profiles', 'look_at_ms', 'ms', HOUR],
  ['evaluations', 'due_at_ms', 'ms', 15_000, { status: 'running' }],
  ['evaluations', 'due_at_ms', 'ms', 10_000, { status: 'pending' }],
  ['webhook_deliveries', 'lease_until_ms', 'ms', 10 * MINUTE, { status: 'sending' }],
  ['webhook_deliveries', 'due_at_ms', 'ms', 8 * HOUR, { status: 'pending' }],
  ['webhooks', 'previous_until', 's', DAY],
  ['agent_secrets', 'previous_until', 's', DAY],
  ['chat_keys', 'created_at', 's', 0],
  ['uploads', 'issued_at', 's', 0],
  ['discards', 'created_at', 's', 0],
  ['conversations', 'updated_at', 's', 0],
  ['conversations', 'anonymous_at', 's', 0],
  ['jobs', 'finished_at', 's', 0],
  ['webhook_deliveries', 'ended_at', 's', 0],
  ['channel_events', 'ended_at', 's', 0],
  ['channel_messages', 'ended_at', 's', 0],
  ['channel_connections', 'disconnected_at', 's', 0],
  ['remains', 'due_at', 's', 2 * MINUTE],
  ['resolved_questions', 'created_at', 's', 0],
  ['answer_stops', 'asked_at_ms', 'ms', 0],
];

await onEachEngine('stored times farther ahead than they can be are brought back', async (t, engine) => {
  const { insert, read, empty, sweep } = await database(t, engine);
  const SKEW = 5000;
  t.equal(
    new Set(times.map(([table, column, , , others]) => JSON.stringify([table, column, others]))).size,
    storedTimes.length,
  );
  for (const [n, [table, column, unit, aheadMs, others = {}]] of times.entries()) {
    const factor = unit === 's' ? 1000 : 1;
    await empty(table);
    const plausible = (NOW_MS + aheadMs) / factor;
    for (const value of [plausible - 1, (NOW_MS + YEAR) / factor + n])
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

await onEachEngine('a pause without an end stays', async (t, engine) => {
  const { insert, read, sweep } = await database(t, engine);
  await insert('channel_threads', { paused_until_ms: Number.MAX_SAFE_INTEGER });
  await sweep.run();
  t.strictSame(await read('channel_threads', 'paused_until_ms'), [Number.MAX_SAFE_INTEGER]);
});

await onEachEngine('subjects and visitors of days ahead are deleted', async (t, engine) => {
  const { insert, read, sweep } = await database(t, engine);
  for (const spoken_at_ms of [NOW_MS + DAY, NOW_MS + YEAR]) await insert('chat_subjects', { spoken_at_ms });
  for (const counted_on of ['2026-11-25', '2026-11-26', '2027-11-25'])
    await insert('agent_visitors', { counted_on });
  await sweep.run();
  t.strictSame(await read('chat_subjects', 'spoken_at_ms'), [NOW_MS + DAY]);
  t.equal((await read('agent_visitors', 'counted_on')).length, 2);
});
