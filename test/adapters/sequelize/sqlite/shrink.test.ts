import { statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { connect } from '../../../../adapters/sequelize/connect.js';
import { backUp, restore } from '../../../../adapters/sequelize/sqlite/backup.js';
import { body } from '../../../support/api-client.js';
import { startTestService } from '../../../support/service.js';
import t from '../../../support/t.js';
import { tempFolder } from '../../../support/temp-folder.js';
import { until } from '../../../support/until.js';

const MIB = 1_048_576;
const ROWS = 200;

/** A database with a table whose rows take 20 MiB, and what it can do. */
async function filled(file: string) {
  const database = connect({ url: `sqlite:${file}`, poolSize: 1, statementTimeoutMs: 1000 });
  const write = (sql: string, params: unknown[][]) =>
    database.transaction(async (transaction) => {
      await database.within(
        transaction,
        params.map((each) => ({ sql, params: each, prepared: true })),
      );
    });
  await write('CREATE TABLE IF NOT EXISTS texts (id INTEGER PRIMARY KEY, text TEXT)', [[]]);
  const text = 'x'.repeat((20 * MIB) / ROWS);
  await write(
    'INSERT INTO texts VALUES (?, ?)',
    Array.from({ length: ROWS }, (_, n) => [n, text]),
  );
  return {
    database,
    write,
    async shrunk() {
      let slices = 1;
      while (await database.shrink?.()) slices += 1;
      return slices;
    },
  };
}

t.test('a file returns the space of deleted rows in slices, while it is read and written', async (t) => {
  const file = join(tempFolder(t), 'cadre.sqlite');
  const { database, write, shrunk } = await filled(file);
  await write('DELETE FROM texts WHERE id >= ?', [[10]]);
  const shrinking = shrunk();
  for (let n = 0; n < 20; n += 1) {
    // The service repeats a transaction that meets another writer.
    await until('the row', () =>
      write('INSERT INTO texts VALUES (?, ?)', [[ROWS + n, 'new']]).then(
        () => true,
        (error: Error) => {
          if (!/SQLITE_BUSY/.test(error.message)) throw error;
          return false;
        },
      ),
    );
    const [row] = await database.read('SELECT COUNT(*) AS n FROM texts', []);
    t.equal(row?.n, 11 + n);
  }
  t.ok((await shrinking) > 10, 'in slices of 1 MiB');
  await database.close();
  t.ok(statSync(file).size < 4 * MIB, `${statSync(file).size} bytes are left`);
});

t.test('a file of an earlier version keeps its size until its backup is restored', async (t) => {
  const folder = tempFolder(t);
  const [file, backup] = [join(folder, 'cadre.sqlite'), join(folder, 'backup.sqlite')];
  const earlier = new DatabaseSync(file);
  earlier.exec('CREATE TABLE migrations (name TEXT PRIMARY KEY)');
  earlier.close();
  const before = await filled(file);
  await before.write('DELETE FROM texts WHERE id >= ?', [[ROWS / 2]]);
  t.equal(await before.shrunk(), 1);
  await before.database.close();
  t.ok(statSync(file).size > 20 * MIB);

  const { bytes } = backUp(file, backup);
  t.ok(bytes < 12 * MIB, `the backup is compact: ${bytes}`);
  const restored = join(folder, 'restored.sqlite');
  restore(restored, backup, { force: false });
  const after = connect({ url: `sqlite:${restored}`, poolSize: 1, statementTimeoutMs: 1000 });
  await after.transaction(async (transaction) => {
    await after.within(transaction, [{ sql: 'DELETE FROM texts', params: [], prepared: true }]);
  });
  while (await after.shrink?.());
  await after.close();
  t.ok(statSync(restored).size < 2 * MIB, `${statSync(restored).size} bytes are left`);
});

t.test('a running service returns the space of a deleted agent', async (t) => {
  const service = await startTestService(t, { engine: 'sqlite' });
  const api = await service.client();
  const { id } = await api.agent();
  const file = service.databaseUrl.slice('sqlite:'.length);
  const words = (n: number) => Array.from({ length: 30_000 }, (_, word) => `w${(word * 31 + n) % 500}`);
  for (let n = 0; n < 40; n += 1)
    await body(api.post(`/agents/${id}/sources/text`, { title: `Text ${n}`, content: words(n).join(' ') }));
  await until('the file holds the texts', async () => statSync(file).size > 5 * MIB);
  t.equal((await api.delete(`/agents/${id}`)).status, 200);
  await until('the file is smaller', async () => statSync(file).size < 3 * MIB, 60_000);
});
