import { connect } from '../../../adapters/sequelize/connect.js';
import type { Connection } from '../../../adapters/sequelize/database/connection.js';
import { createTransact } from '../../../adapters/sequelize/database/transact.js';
import { openStore } from '../../../adapters/sequelize/index.js';
import { describeStoreContract } from '../../contracts/store.contract.js';
import type { StoresUnderTest } from '../../contracts/store.contract.subject.js';
import { mysqlMissing } from '../../support/mysql.js';
import { type Engine, emptyDatabase } from '../../support/service.js';
import t from '../../support/t.js';

/** Migrations take seconds on a server, so all tests share one database, which is emptied between them. */
async function openStores(engine: Engine): Promise<StoresUnderTest> {
  const options = { url: await emptyDatabase(t, engine), poolSize: 4, statementTimeoutMs: 15_000 };
  const [store, beside, connection] = [openStore(options), openStore(options), connect(options)];
  t.teardown(() => Promise.all([store, beside, connection].map((each) => each.close())));
  await store.migrate();
  const tables = await tablesIn(connection);
  const transact = createTransact(connection);
  return {
    store,
    beside,
    stop: () =>
      transact(async (transaction) => {
        for (const table of tables) await connection.sequelize.query(`DELETE FROM ${table}`, { transaction });
      }),
  };
}

/** All tables except the list of migrations. */
async function tablesIn({ dialect, read }: Connection): Promise<string[]> {
  const rows = await read(
    dialect === 'mysql'
      ? `SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()`
      : `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`,
    [],
  );
  return rows.map(({ name }) => name as string).filter((name) => name !== 'migrations');
}

const engines: [Engine, string | false][] = [
  ['sqlite', false],
  ['mysql', await mysqlMissing()],
];

for (const [engine, skip] of engines) {
  let stores: Promise<StoresUnderTest> | undefined;
  describeStoreContract(
    {
      test: (name, body) =>
        t.test(`${name} (${engine})`, { skip }, async (t) => {
          await body();
          t.pass('kept');
        }),
    },
    () => (stores ??= openStores(engine)),
  );
}
