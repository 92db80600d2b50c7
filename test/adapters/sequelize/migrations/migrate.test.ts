import { connect } from '../../../../adapters/sequelize/database/connect.js';
import { createMigrator, migrations } from '../../../../adapters/sequelize/migrations/migrate.js';
import { emptyDatabase, onEachEngine } from '../../../support/service.js';

await onEachEngine('every migration can be undone, and applied again', async (t, engine) => {
  const url = await emptyDatabase(t, engine);
  const connection = connect({ url, poolSize: 3, statementTimeoutMs: 15_000 });
  t.teardown(() => connection.close());
  const migrator = createMigrator(connection);
  const names = migrations.map(({ name }) => name);
  t.same(await migrator.up(), names);
  for (const name of names.toReversed()) t.same(await migrator.down(), [name]);
  t.same(await migrator.up(), names);
  t.same(await migrator.pending(), []);
});

await onEachEngine('a downgrade to a version without limited keys revokes these', async (t, engine) => {
  const url = await emptyDatabase(t, engine);
  const connection = connect({ url, poolSize: 3, statementTimeoutMs: 15_000 });
  t.teardown(() => connection.close());
  const migrator = createMigrator(connection);
  await migrator.up();
  const keys = [
    ['full', 0, null, null],
    ['read', 0, null, null],
    ['full', 1, null, null],
    ['full', 0, 9_000_000_000, null],
    ['chat', 0, null, 5],
  ];
  for (const [n, limits] of keys.entries())
    await connection.sequelize.query(
      `INSERT INTO api_keys (id, workspace_id, name, hint, hash, created_at, scope, limited_to_agents, expires_at, revoked_at)
        VALUES ('${n}', 'w', 'k', 'h', '${n}', 1, ?, ?, ?, ?)`,
      { replacements: limits },
    );
  for (let undone = ''; undone !== '018-limited-keys'; ) [undone = ''] = await migrator.down();
  const rows = await connection.read('SELECT revoked_at FROM api_keys ORDER BY id', []);
  const now = Date.now() / 1000;
  t.strictSame(
    rows.map(({ revoked_at: at }) =>
      at === null || Number(at) === 5 ? at : Math.abs(Number(at) - now) < 60,
    ),
    [null, true, true, true, 5],
  );
});

await onEachEngine('a migration changes existing messages at most 1,000 at a time', async (t, engine) => {
  const url = await emptyDatabase(t, engine);
  const connection = connect({ url, poolSize: 3, statementTimeoutMs: 15_000 });
  t.teardown(() => connection.close());
  const changes: number[] = [];
  const { sequelize } = connection;
  const query = sequelize.query.bind(sequelize);
  sequelize.query = async (sql: never, options: never) => {
    const changed: unknown = await query(sql, options);
    if (`${sql}`.startsWith('UPDATE')) changes.push(Number(changed));
    return changed as never;
  };
  const migrator = createMigrator(connection);
  await migrator.up();
  for (let undone = ''; undone !== '015-conversation-bytes'; ) [undone = ''] = await migrator.down();
  const message = `('c', 'a', 'user', 'completed', 0, '[1]', 1)`;
  await sequelize.query(
    `INSERT INTO messages (conversation_id, agent_id, role, status, draft, script, created_at)
      VALUES ${Array(2500).fill(message).join(', ')}`,
  );
  changes.length = 0;
  await migrator.up();
  t.ok(Math.max(...changes) <= 1000, `${Math.max(...changes)} rows`);
  const [row] = await connection.read('SELECT COUNT(*) AS n FROM messages WHERE bytes = 3', []);
  t.equal(Number(row?.n), 2500);
});
