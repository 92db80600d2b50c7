import type { Connection } from 'mysql2/promise';
import type { Test } from 'tap';
import { openStore } from '../../../../adapters/sequelize/index.js';
import { baseline } from '../../../../adapters/sequelize/migrations/001-baseline.js';
import { migrations } from '../../../../adapters/sequelize/migrations/migrate.js';
import { dialects } from '../../../../adapters/sequelize/migrations/migration.js';
import { newKey, unlimitedRights } from '../../../../core/workspaces/new-key.js';
import { emptyMysql, mysqlMissing } from '../../../support/mysql.js';
import t from '../../../support/t.js';
import { until } from '../../../support/until.js';

const skip = await mysqlMissing();
const STATEMENT_MS = 300;
const allOfThem = migrations.map(({ name }) => name);

/** Processes that start on one empty database with a short statement timeout. */
async function newcomers(t: Test) {
  const { url, connection } = await emptyMysql(t);
  const store = (poolSize = 2) => {
    const opened = openStore({ url, poolSize, statementTimeoutMs: STATEMENT_MS });
    t.teardown(() => opened.close());
    return opened;
  };
  return { connection, store };
}

/** Number of connections that wait for the lock. */
async function waiting(connection: Connection): Promise<number> {
  const [rows] = await connection.query(
    `SELECT COUNT(*) AS n FROM information_schema.processlist
      WHERE info LIKE '%GET_LOCK%' AND db = DATABASE() AND id <> CONNECTION_ID()`,
  );
  return Number((rows as { n: number }[])[0]?.n);
}

t.test(
  'of two concurrent migrations one does the work and the other finds nothing to do',
  { skip },
  async (t) => {
    const { store } = await newcomers(t);
    const applied = await Promise.all([store(1).migrate(), store(1).migrate()]);
    t.same(applied.flat(), allOfThem);
    t.same(await store(1).pending(), []);
  },
);

t.test(
  'a process waits longer for another migration than for a statement of a request',
  { skip },
  async (t) => {
    const { connection, store } = await newcomers(t);
    const lock = "LEFT(CONCAT('cadre migrations of ', DATABASE()), 64)";
    await connection.query(`SELECT GET_LOCK(${lock}, 5)`);
    const newcomer = store();
    const migrating = newcomer.migrate();
    await until('it waits', () => waiting(connection));
    await connection.query(`SELECT SLEEP(${(2 * STATEMENT_MS) / 1000})`);
    t.equal(await waiting(connection), 1, 'twice the limit later it still waits');
    await connection.query(`SELECT RELEASE_LOCK(${lock})`);
    t.same(await migrating, allOfThem);
    t.same(await newcomer.health(), { ok: true });
  },
);

t.test('a migration that was killed half-way is completed', { skip }, async (t) => {
  const { connection, store } = await newcomers(t);
  for (const sql of baseline.up(dialects.mysql).slice(0, 7)) await connection.query(sql);
  t.same(await store().migrate(), allOfThem);
  t.same(await store().health(), { ok: true });
});

t.test(
  'concurrent starts share one secret, and one of them creates the first workspace',
  { skip },
  async (t) => {
    const { store } = await newcomers(t);
    await store().migrate();
    const stores = [1, 2, 3, 4].map(() => store());
    const secrets = await Promise.all(stores.map((each) => each.secret()));
    t.equal(secrets[0]?.length, 32);
    for (const secret of secrets) t.same(secret, secrets[0]);
    const id = (n: number) => `019f0000-0000-7000-8000-00000000000${n}`;
    const made = await Promise.all(
      stores.map(({ workspaces }, n) =>
        workspaces.createFirst(
          { id: id(n), name: 'default', plan: 'business', overrides: {}, createdAt: 1 },
          newKey({ ...unlimitedRights, workspaceId: id(n), name: 'bootstrap', createdAt: 1 }).key,
        ),
      ),
    );
    t.equal(made.filter(Boolean).length, 1);
    t.equal((await store().workspaces.list()).length, 1);
  },
);
