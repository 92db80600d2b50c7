import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { connect } from '../../../../adapters/sequelize/connect.js';
import type { Connection } from '../../../../adapters/sequelize/database/connection.js';
import { createMigrator } from '../../../../adapters/sequelize/migrations/migrate.js';
import { onMigrationStatement } from '../../../support/migration-statements.js';
import { sampleMigrations } from '../../../support/sample-migrations.js';
import { columnsOf } from '../../../support/schema.js';
import { emptyDatabase, onEachEngine } from '../../../support/service.js';
import { tempFolder } from '../../../support/temp-folder.js';

const open = (url: string): Connection => connect({ url, poolSize: 3, statementTimeoutMs: 15_000 });
const names = sampleMigrations.map(({ name }) => name);
const migratorOf = (connection: Connection) => createMigrator(connection, sampleMigrations);

/** The baseline has 190 statements of two kinds. It is interrupted after each 11th. */
const BASELINE_STEP = 11;

/** Runs `work` with connections that are closed afterwards. */
async function using<T>(url: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = open(url);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** Columns and indexes of all tables. */
const schemaOf = (url: string) =>
  using(url, async (connection) => {
    const { dialect, read } = connection;
    const indexes =
      dialect === 'sqlite'
        ? await read(`SELECT name, sql FROM sqlite_master WHERE type = 'index' ORDER BY name`, [])
        : await read(
            `SELECT TABLE_NAME, INDEX_NAME, SEQ_IN_INDEX, COLUMN_NAME FROM information_schema.STATISTICS
              WHERE TABLE_SCHEMA = DATABASE() ORDER BY 1, 2, 3`,
            [],
          );
    return {
      tables: [...(await columnsOf(connection))].sort(([a], [b]) => (a < b ? -1 : 1)),
      indexes: indexes.map((row) => ({ ...row })),
    };
  });

/** Inserts a row into each empty table, so that changes of rows have something to change. */
const fill = (url: string) =>
  using(url, async (connection) => {
    let n = 0;
    for (const [table, columns] of await columnsOf(connection)) {
      const [row] = await connection.read(`SELECT COUNT(*) AS n FROM ${table}`, []);
      if (Number(row?.n) > 0) continue;
      const values: Record<string, unknown> = {};
      for (const { name, isNumber, isRequired } of columns)
        if (isRequired) values[name] = isNumber ? 1 : `a${(n++).toString(36)}`;
      await connection.sequelize.query(
        `INSERT INTO ${table} (${Object.keys(values).join(', ')}) VALUES (${Object.keys(values).map(() => '?')})`,
        { replacements: Object.values(values) },
      );
    }
  });

const rowsOf = (url: string) =>
  using(url, async (connection) => {
    const counts: Record<string, number> = {};
    for (const table of (await columnsOf(connection)).keys()) {
      const [row] = await connection.read(`SELECT COUNT(*) AS n FROM ${table}`, []);
      counts[table] = Number(row?.n);
    }
    return counts;
  });

/** Migrates up to this migration, until this statement of it has run. Returns false if it has fewer. */
const interrupted = (url: string, name: string, statement: number): Promise<boolean> =>
  using(url, async (connection) => {
    const migrator = createMigrator(connection, sampleMigrations.slice(0, names.indexOf(name) + 1));
    onMigrationStatement(connection, await migrator.pending(), (at) => {
      if (at.statement === statement) throw new Error('interrupted');
    });
    return migrator.up().then(
      () => false,
      (error: Error) => {
        if (!/interrupted/.test(error.message)) throw error;
        return true;
      },
    );
  });

await onEachEngine('a migration that is interrupted after any statement is completed', async (t, engine) => {
  const clean = await emptyDatabase(t, engine);
  await using(clean, (connection) => migratorOf(connection).up());
  const url = await emptyDatabase(t, engine, tempFolder(t));
  let interruptions = 0;
  for (const name of names) {
    const isFirst = name === names[0];
    if (!isFirst) await fill(url);
    const before = await rowsOf(url);
    const step = isFirst ? BASELINE_STEP : 1;
    for (let statement = 1; await interrupted(url, name, statement); statement += step) interruptions += 1;
    const after = await rowsOf(url);
    const lost = Object.keys(before).filter((table) => (after[table] ?? 0) < (before[table] ?? 0));
    t.strictSame(lost, [], `${name}: rows of all tables`);
  }
  t.strictSame(await schemaOf(url), await schemaOf(clean), 'columns and indexes');
  t.ok(interruptions > names.length, `${interruptions} interruptions`);
});

await onEachEngine('kill -9 in each migration leaves a database that migrates', async (t, engine) => {
  const clean = await emptyDatabase(t, engine);
  const lengths = new Map<string, number>();
  await using(clean, async (connection) => {
    onMigrationStatement(connection, names, ({ migration, statement }) => {
      lengths.set(migration, statement);
    });
    await migratorOf(connection).up();
  });
  const url = await emptyDatabase(t, engine);
  const here = fileURLToPath(import.meta.url);
  const child = fileURLToPath(
    new URL(`../../../support/dying-migration${here.slice(here.lastIndexOf('.'))}`, import.meta.url),
  );
  for (const name of names) {
    const middle = Math.ceil((lengths.get(name) ?? 1) / 2);
    const dying = spawn(process.execPath, [...process.execArgv, child, url, name, String(middle)], {
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [, signal] = await once(dying, 'exit');
    t.equal(signal, 'SIGKILL', name);
  }
  await using(url, (connection) => migratorOf(connection).up());
  t.strictSame(await schemaOf(url), await schemaOf(clean));
  t.same(await using(url, (connection) => migratorOf(connection).pending()), []);
});
