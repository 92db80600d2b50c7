import { connect } from '../../../../adapters/sequelize/connect.js';
import { baseline } from '../../../../adapters/sequelize/migrations/001-baseline.js';
import { createMigrator, migrations } from '../../../../adapters/sequelize/migrations/migrate.js';
import { singleSteps } from '../../../../adapters/sequelize/migrations/pending.js';
import { emptyDatabase, onEachEngine } from '../../../support/service.js';

const names = migrations.map(({ name }) => name);

await onEachEngine(
  'the baseline takes over a database that has all of the single steps',
  async (t, engine) => {
    const url = await emptyDatabase(t, engine);
    const connection = connect({ url, poolSize: 3, statementTimeoutMs: 15_000 });
    t.teardown(() => connection.close());
    const { sequelize } = connection;
    const migrator = createMigrator(connection);
    t.same(await createMigrator(connection, [baseline]).up(), [baseline.name]);
    await sequelize.query(`INSERT INTO meta (name, value) VALUES ('kept', '1')`);
    await sequelize.query('DELETE FROM migrations');
    await sequelize.query('INSERT INTO migrations (name) VALUES :steps', {
      replacements: { steps: singleSteps.map((step) => [step]) },
    });

    t.same(await migrator.pending(), names);
    t.same(await migrator.up(), names);
    t.same(await migrator.pending(), []);
    const applied = await connection.read('SELECT name FROM migrations ORDER BY name', []);
    t.strictSame(
      applied.map(({ name }) => name),
      names,
    );
    const kept = await connection.read(`SELECT value FROM meta WHERE name = 'kept'`, []);
    t.equal(kept.length, 1);
  },
);

await onEachEngine('a database with a part of the single steps is refused unchanged', async (t, engine) => {
  const url = await emptyDatabase(t, engine);
  const connection = connect({ url, poolSize: 3, statementTimeoutMs: 15_000 });
  t.teardown(() => connection.close());
  const { sequelize } = connection;
  await sequelize.query('CREATE TABLE migrations (name VARCHAR(255) PRIMARY KEY)');
  await sequelize.query('INSERT INTO migrations (name) VALUES :steps', {
    replacements: { steps: singleSteps.slice(0, -1).map((step) => [step]) },
  });
  const migrator = createMigrator(connection);
  const refusal = { code: 'DATABASE_TOO_OLD', message: `missing migrations: ${singleSteps.at(-1)}` };
  await t.rejects(migrator.up(), refusal);
  await t.rejects(migrator.pending(), refusal);
  const applied = await connection.read('SELECT name FROM migrations ORDER BY name', []);
  t.strictSame(
    applied.map(({ name }) => name),
    singleSteps.slice(0, -1),
  );
});

await onEachEngine('pauses of the agent become the state of their conversations', async (t, engine) => {
  const url = await emptyDatabase(t, engine);
  const connection = connect({ url, poolSize: 3, statementTimeoutMs: 15_000 });
  t.teardown(() => connection.close());
  const { sequelize } = connection;
  const index = names.indexOf('011-handover');
  await createMigrator(connection, migrations.slice(0, index)).up();
  const pauses: [id: string, source: string, pausedUntilMs: number][] = [
    ['api', 'api', 0],
    ['widget', 'widget', 0],
    ['answered', 'social', 0],
    ['paused', 'social', 1_795_000_000_000],
    ['endless', 'social', Number.MAX_SAFE_INTEGER],
  ];
  for (const [id, source, pausedUntilMs] of pauses) {
    await sequelize.query(
      `INSERT INTO conversations (id, agent_id, workspace_id, source, messages, tool_records, created_at, updated_at)
        VALUES ('${id}', 'a', 'w', '${source}', 1, 0, 10, 20)`,
    );
    if (source === 'social')
      await sequelize.query(
        `INSERT INTO channel_threads (agent_id, account_id, person_id, conversation_id, window_until_ms,
          paused_until_ms, limit_told_until_ms) VALUES ('a', '1', '${id}', '${id}', 0, ${pausedUntilMs}, 0)`,
      );
  }
  await createMigrator(connection).up();
  const rows = await connection.read('SELECT id, state, human_until_ms FROM conversations ORDER BY id', []);
  t.strictSame(
    rows.map(({ id, state, human_until_ms: until }) => [id, state, until === null ? null : Number(until)]),
    [
      ['answered', 'agent', null],
      ['api', null, null],
      ['endless', 'human', null],
      ['paused', 'human', 1_795_000_000_000],
      ['widget', 'agent', null],
    ],
  );
});
