import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Test } from 'tap';
import { createStoredResponses } from '../../../../adapters/sequelize/agents/stored-responses.js';
import { connect } from '../../../../adapters/sequelize/connect.js';
import type { Connection } from '../../../../adapters/sequelize/database/connection.js';
import { createTransact } from '../../../../adapters/sequelize/database/transact.js';
import { createMigrator } from '../../../../adapters/sequelize/migrations/migrate.js';
import { closeHandle, openHandle, runStatement } from '../../../../adapters/sequelize/sqlite/handle.js';
import { createWriteAheadLog } from '../../../../adapters/sequelize/sqlite/write-ahead-log.js';
import t from '../../../support/t.js';
import { tempFolder } from '../../../support/temp-folder.js';

async function open(t: Test): Promise<{ connection: Connection; file: string }> {
  const file = join(tempFolder(t), 'a.sqlite');
  const connection = connect({ url: `sqlite:${file}`, poolSize: 1, statementTimeoutMs: 5000 });
  t.teardown(() => connection.close());
  await connection.sequelize.query('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)');
  return { connection, file };
}

/** Makes one row in a transaction. */
const write = ({ within }: Connection, transact: ReturnType<typeof createTransact>, text: string) =>
  transact.rawTransaction(
    (transaction) =>
      within(transaction, [{ sql: 'INSERT INTO notes (text) VALUES (?)', params: [text], prepared: true }]),
    'a workspace',
  );

t.test('a turn is confirmed once it is on disk, and other turns can write before that', async (t) => {
  const { connection } = await open(t);
  const asked: (() => void)[] = [];
  const slow = { ...connection, onDisk: () => new Promise<void>((resolve) => void asked.push(resolve)) };
  const transact = createTransact(slow);
  let answered = 0;
  const turns = ['first', 'second'].map((text) =>
    write(slow, transact, text).then(() => {
      answered += 1;
    }),
  );
  const committed = async () => (await connection.read('SELECT text FROM notes', [])).length;
  while ((await committed()) < 2) await new Promise((resolve) => setImmediate(resolve));
  t.equal(answered, 0, 'both are committed, and nobody is told so yet');
  for (const end of asked) end();
  await Promise.all(turns);
  t.equal(answered, 2);
});

t.test('a turn whose sync fails is rejected', async (t) => {
  const { connection } = await open(t);
  const broken = { ...connection, onDisk: () => Promise.reject(new Error('input/output error')) };
  await t.rejects(write(broken, createTransact(broken), 'a note'), { message: 'input/output error' });
});

t.test('a failed transaction is rolled back, and the next one works', async (t) => {
  const { connection } = await open(t);
  const transact = createTransact(connection);
  await t.rejects(
    transact.rawTransaction(async (transaction) => {
      await connection.within(transaction, [
        { sql: 'INSERT INTO notes (text) VALUES (?)', params: ['half'], prepared: true },
      ]);
      throw new Error('changed my mind');
    }, 'a workspace'),
    { message: 'changed my mind' },
  );
  await write(connection, transact, 'whole');
  t.same(await connection.read('SELECT text FROM notes', []), [{ text: 'whole' }]);
});

t.test('the log does not grow with the number of writes', async (t) => {
  const { connection, file } = await open(t);
  const transact = createTransact(connection);
  const text = 'x'.repeat(500_000);
  const lane = async () => {
    for (let n = 0; n < 150; n += 1) await write(connection, transact, text);
  };
  await Promise.all([lane(), lane(), lane(), lane()]);
  const written = 4 * 150 * text.length;
  const { size } = statSync(`${file}-wal`);
  t.ok(size < written * 0.6, `${size} of ${written} bytes`);
  t.same(await connection.read('SELECT count(*) AS notes FROM notes', []), [{ notes: 600 }]);
});

t.test('after a disk failure nothing more is written, so no retry runs twice', async (t) => {
  const log = createWriteAheadLog({
    sync: () => Promise.reject(new Error('input/output error')),
    checkpoint: async () => {},
  });
  const handle = openHandle(join(tempFolder(t), 'a.sqlite'), log);
  t.teardown(() => closeHandle(handle));
  runStatement(handle, 'CREATE TABLE notes (text TEXT)', []);
  runStatement(handle, 'BEGIN IMMEDIATE', []);
  await t.rejects(log.onDisk(), { message: 'input/output error' });
  runStatement(handle, "INSERT INTO notes VALUES ('under way')", []);
  runStatement(handle, 'COMMIT', []);
  for (const sql of ["INSERT INTO notes VALUES ('alone')", 'BEGIN IMMEDIATE'])
    t.throws(() => runStatement(handle, sql, []), { message: 'input/output error' });
  t.same(runStatement(handle, 'SELECT text FROM notes', []).rows, [{ text: 'under way' }]);
});

t.test('a stored response is not repeated before it is on disk', async (t) => {
  const { connection } = await open(t);
  await createMigrator(connection).up();
  const kept = { keyHash: 'k', fingerprint: 'f', response: { status: 201, body: {} }, createdAt: 1 };
  const owner = `INSERT INTO workspaces (id, name, plan, overrides, agents, storage_bytes, created_at)
    VALUES ('an owner', 'a', 'business', '{}', 0, 0, 1)`;
  await connection.sequelize.query(owner);
  await createStoredResponses(connection, createTransact(connection)).keep('an owner', kept);
  const broken = { ...connection, onDisk: () => Promise.reject(new Error('input/output error')) };
  const responses = createStoredResponses(broken, createTransact(broken));
  await t.rejects(responses.find('an owner', 'k'), { message: 'input/output error' });
  t.equal(await responses.find('an owner', 'another'), null, 'nothing is said to be stored');
});

t.test('an old log is moved into the file before anything else is written', async (t) => {
  const { connection, file } = await open(t);
  await write(connection, createTransact(connection), 'a note');
  t.not(statSync(`${file}-wal`).size, 0);
  const next = connect({ url: `sqlite:${file}`, poolSize: 1, statementTimeoutMs: 5000 });
  t.teardown(() => next.close());
  t.equal(statSync(`${file}-wal`).size, 0);
  t.same(await next.read('SELECT text FROM notes', []), [{ text: 'a note' }]);
});
