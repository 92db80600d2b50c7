import { renameSync } from 'node:fs';
import { connect } from '../../../../adapters/sequelize/connect.js';
import { type Engine, onEachEngine, startTestService } from '../../../support/service.js';
import t from '../../../support/t.js';
import { until } from '../../../support/until.js';

// Most tests wait for the next check.
t.jobs = 3;

/** Makes every write to `meta` fail like on a full disk, with the engine's error. */
const refuseWrites: Record<Engine, string[]> = {
  sqlite: ['INSERT', 'UPDATE'].map(
    (write) =>
      `CREATE TRIGGER refuse_${write} BEFORE ${write} ON meta BEGIN SELECT RAISE(ABORT, 'disk full'); END`,
  ),
  mysql: ['INSERT', 'UPDATE'].map(
    (write) =>
      `CREATE TRIGGER refuse_${write} BEFORE ${write} ON meta FOR EACH ROW SIGNAL SQLSTATE '45000' SET MESSAGE_TEXT = 'disk full'`,
  ),
};

const countWrites: Record<Engine, string> = {
  sqlite: `CREATE TRIGGER counted AFTER UPDATE ON meta BEGIN INSERT INTO discards VALUES (hex(randomblob(8)), 9999999999); END`,
  mysql: `CREATE TRIGGER counted AFTER UPDATE ON meta FOR EACH ROW INSERT INTO discards VALUES (UUID(), 9999999999)`,
};

const readiness = async (baseUrl: string) => {
  const answer = await fetch(`${baseUrl}/readyz`);
  const { checks } = (await answer.json()) as { checks: { database: { ok: boolean; reason?: string } } };
  return { status: answer.status, database: checks.database };
};

const refusedWrites = onEachEngine(
  'a database that is readable but not writable is not ready',
  async (t, engine) => {
    const { baseUrl, databaseUrl } = await startTestService(t, { engine, worker: {} });
    const database = connect({ url: databaseUrl, poolSize: 3, statementTimeoutMs: 15_000 });
    t.teardown(() => database.close());
    t.match(await readiness(baseUrl), { status: 200, database: { ok: true } });
    for (const sql of refuseWrites[engine]) await database.sequelize.query(sql);
    const refused = await until('writes to be missed', async () => {
      const found = await readiness(baseUrl);
      return found.status === 503 && found;
    });
    t.match(refused.database, { ok: false, reason: /\w/ });
    for (const write of ['INSERT', 'UPDATE']) await database.sequelize.query(`DROP TRIGGER refuse_${write}`);
    await until('it to be ready again', async () => (await readiness(baseUrl)).status === 200);
  },
);

const rareWrites = onEachEngine('frequent readiness checks rarely write', async (t, engine) => {
  const { baseUrl, databaseUrl } = await startTestService(t, { engine, worker: {} });
  const database = connect({ url: databaseUrl, poolSize: 3, statementTimeoutMs: 15_000 });
  t.teardown(() => database.close());
  await readiness(baseUrl);
  await database.sequelize.query(countWrites[engine]);
  for (let n = 0; n < 10; n += 1) await Promise.all(Array.from({ length: 20 }, () => readiness(baseUrl)));
  const [row] = await database.read('SELECT COUNT(*) AS n FROM discards', []);
  t.ok(Number(row?.n) < 20, `${row?.n} writes for 200 questions`);
});

t.test('a database whose file was removed is not ready', async (t) => {
  const { baseUrl, databaseUrl } = await startTestService(t, { worker: {} });
  t.equal((await readiness(baseUrl)).status, 200);
  const file = databaseUrl.slice('sqlite:'.length);
  renameSync(file, `${file}.away`);
  const gone = await until('it to be missed', async () => {
    const found = await readiness(baseUrl);
    return found.status === 503 && found;
  });
  t.match(gone.database, { ok: false, reason: /removed or replaced/ });
  renameSync(`${file}.away`, file);
  await until('it to be ready again', async () => (await readiness(baseUrl)).status === 200);
});

await Promise.all([refusedWrites, rareWrites]);
