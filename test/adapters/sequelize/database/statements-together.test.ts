import { connect } from '../../../../adapters/sequelize/connect.js';
import type { Connection } from '../../../../adapters/sequelize/database/connection.js';
import { statementsIn } from '../../../../adapters/sequelize/database/statements.js';
import { emptyDatabase, onEachEngine } from '../../../support/service.js';

/** All that a text could be taken for, in a message of several statements. */
const ODD = `it's "one"; DROP TABLE notes; -- \\' ? ?? :name \n é 漢 😀`;
const LONG = ODD.repeat(3000);

await onEachEngine('statements of one tick are sent together', async (t, engine) => {
  const real = connect({
    url: await emptyDatabase(t, engine),
    poolSize: 4,
    statementTimeoutMs: 15_000,
  });
  t.teardown(() => real.close());
  const said: number[] = [];
  const connection: Connection = {
    ...real,
    within: (transaction, statements) => {
      said.push(statements.length);
      return real.within(transaction, statements);
    },
  };
  const id = engine === 'mysql' ? 'INTEGER AUTO_INCREMENT PRIMARY KEY' : 'INTEGER PRIMARY KEY AUTOINCREMENT';
  await real.sequelize.query(`CREATE TABLE notes (id ${id}, text LONGTEXT, bytes LONGBLOB, number BIGINT)`);
  const insert = 'INSERT INTO notes (text, bytes, number) VALUES (?, ?, ?)';
  const texts = async () =>
    (await real.read('SELECT text FROM notes ORDER BY id', [])).map(({ text }) => text);
  const inTransaction = <T>(work: (statements: ReturnType<typeof statementsIn>) => Promise<T>): Promise<T> =>
    real.sequelize.transaction((transaction) => work(statementsIn(connection, transaction)));

  await t.test('in order, each with its own result', async (t) => {
    said.length = 0;
    const bytes = Buffer.from([0, 39, 59, 92, 255]);
    const found = await inTransaction(({ select, execute, executeOnce }) =>
      Promise.all([
        execute(insert, [ODD, bytes, 2 ** 40]),
        executeOnce(insert, [LONG, null, null]),
        execute(insert, ['third', bytes, -1]),
        execute('UPDATE notes SET number = ? WHERE id IN (?)', [7, [2, 3]]),
        select('SELECT * FROM notes WHERE text <> ? ORDER BY id', ['third']),
        select('SELECT id FROM notes WHERE id > ?', [100]),
      ]),
    );
    t.same(said, [6]);
    t.same(
      found.slice(0, 3).map((answer) => 'insertedId' in answer && answer.insertedId),
      [1, 2, 3],
    );
    t.match(found[3], { changed: 2 });
    const [first, second] = found[4] as Record<string, unknown>[];
    t.equal(first?.text, ODD);
    t.same(Buffer.from(first?.bytes as Uint8Array), bytes);
    t.equal(Number(first?.number), 2 ** 40);
    t.equal(second?.text, LONG);
    t.equal(second?.bytes, null);
    t.equal(Number(second?.number), 7);
    t.same(found[5], []);
  });

  await t.test('after a failed statement, no later or waiting statement is sent', async (t) => {
    const before = await texts();
    const statuses: string[] = [];
    const work = inTransaction(async ({ select, execute }) => {
      const first: Promise<unknown> = Promise.all([
        // With a server, long enough for another statement to be queued.
        ...(engine === 'mysql' ? [select('SELECT SLEEP(0.3)', [])] : []),
        execute(insert, ['before', null, null]),
        execute('INSERT INTO nowhere (id) VALUES (?)', [1]),
        execute(insert, ['behind', null, null]),
      ]);
      const meanwhile: Promise<unknown> = new Promise((resolve) => setImmediate(resolve)).then(
        (): Promise<unknown> => (engine === 'mysql' ? execute(insert, ['late', null, null]) : first),
      );
      const outcomes = await Promise.allSettled([first, meanwhile]);
      statuses.push(...outcomes.map(({ status }) => status));
      await first;
    });
    await t.rejects(work, /nowhere/);
    t.same(statuses, ['rejected', 'rejected']);
    t.same(await texts(), before, 'nothing is left of the transaction');
  });

  await t.test('the error of a failed statement contains no values', async (t) => {
    const error = await inTransaction(({ execute }) =>
      Promise.all([
        execute(insert, ['a secret text', null, null]),
        execute('INSERT INTO nowhere (text) VALUES (?)', ['another secret text']),
      ]),
    ).catch((reason: unknown) => reason);
    t.match(String(error), /nowhere/);
    t.notMatch(JSON.stringify({ ...Object(error) }), /secret/);
  });

  await t.test('nothing is sent outside of the transaction', async (t) => {
    const before = await texts();
    const late: Promise<unknown>[] = [];
    await inTransaction(async (statements) => {
      const askLate = () => {
        const asked = statements.execute(insert, ['late', null, null]);
        asked.catch(() => {});
        late.push(asked);
      };
      await statements.select('SELECT id FROM notes WHERE id = ?', [1]);
      askLate();
      statements.end();
      askLate();
    });
    for (const asked of late) await t.rejects(asked, /has ended/);
    t.same(await texts(), before);
  });
});
