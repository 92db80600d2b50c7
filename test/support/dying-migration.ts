import { connect } from '../../adapters/sequelize/connect.js';
import { createMigrator } from '../../adapters/sequelize/migrations/migrate.js';
import { onMigrationStatement } from './migration-statements.js';
import { sampleMigrations } from './sample-migrations.js';

/*
 * A process that migrates a database and kills itself after a statement. Arguments: the URL, the name of the migration,
 * and the number of its statement, from 1.
 */

const [url = '', name = '', statement = '1'] = process.argv.slice(2);
const connection = connect({ url, poolSize: 3, statementTimeoutMs: 15_000 });
const migrator = createMigrator(connection, sampleMigrations);
const pending = await migrator.pending();
onMigrationStatement(connection, pending, (at) => {
  if (at.migration === name && at.statement === Number(statement)) process.kill(process.pid, 'SIGKILL');
});
await migrator.up();
await connection.close();
