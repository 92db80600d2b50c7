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
