import { connect } from '../../../../adapters/sequelize/connect.js';
import { createMigrator, migrations } from '../../../../adapters/sequelize/migrations/migrate.js';
import { emptyMysql, mysqlMissing } from '../../../support/mysql.js';
import t from '../../../support/t.js';
import { until } from '../../../support/until.js';

t.test('a migration may take any time', { skip: await mysqlMissing() }, async (t) => {
  const { url, connection: other } = await emptyMysql(t);
  const [[database]] = (await other.query('SELECT DATABASE() AS name')) as unknown as [[{ name: string }]];
  await other.query(`SELECT GET_LOCK('cadre migrations of ${database.name}', 10)`);
  const connection = connect({ url, poolSize: 3, statementTimeoutMs: 500 });
  t.teardown(() => connection.close());
  const migrating = createMigrator(connection).up();
  await until('the migration has waited for longer than any other statement may', async () => {
    const [rows] = await other.query(
      `SELECT 1 FROM information_schema.processlist WHERE db = ? AND info LIKE '%GET_LOCK(LEFT%' AND time > 2`,
      [database.name],
    );
    return (rows as unknown[]).length > 0;
  });
  await other.query(`SELECT RELEASE_LOCK('cadre migrations of ${database.name}')`);
  t.equal((await migrating).length, migrations.length);
});
