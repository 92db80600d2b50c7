import { randomBytes } from 'node:crypto';
import { type Connection, createConnection, type RowDataPacket } from 'mysql2/promise';
import type { Test } from 'tap';
import { createTables } from './migrated-database.js';
import { SERVER } from './mysql.js';

/*
 * Databases with all tables and no rows, for one test after the other. Creating and dropping the tables takes a second,
 * emptying them some milliseconds.
 */

interface Pooled {
  name: string;
  tables: string[];
  /** Tables whose ids are numbered by the server. */
  numbered: Set<string>;
}

/** Databases of this process that no test uses. */
const free: Pooled[] = [];

const urlOf = (name: string): string => `${SERVER}/${name}`;

async function connected<T>(uri: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await createConnection({ uri, multipleStatements: true });
  try {
    return await work(connection);
  } finally {
    await connection.end();
  }
}

const drop = (name: string): Promise<unknown> =>
  connected(SERVER, (connection) => connection.query(`DROP DATABASE ${name}`));

async function create(): Promise<Pooled> {
  const name = `cadre_test_${randomBytes(6).toString('hex')}`;
  await connected(SERVER, (connection) => connection.query(`CREATE DATABASE ${name}`));
  await createTables(urlOf(name));
  return connected(urlOf(name), async (connection) => {
    const [numbered] = await connection.query<RowDataPacket[]>(
      `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = DATABASE() AND extra = 'auto_increment'`,
    );
    return {
      name,
      tables: await tablesIn(connection),
      numbered: new Set(numbered.map((row) => String(row.name))),
    };
  });
}

async function tablesIn(connection: Connection): Promise<string[]> {
  const [rows] = await connection.query<RowDataPacket[]>('SHOW TABLES');
  return rows.flatMap((row) => Object.values(row)).map(String);
}

/** Deletes all rows. Returns false if the test has changed the schema, or still holds locks. */
const empty = ({ name, tables, numbered }: Pooled): Promise<boolean> =>
  connected(urlOf(name), async (connection) => {
    const [triggers] = await connection.query<RowDataPacket[]>('SHOW TRIGGERS');
    if (triggers.length > 0 || `${await tablesIn(connection)}` !== `${tables}`) return false;
    const [filled] = await connection.query<RowDataPacket[]>(
      tables
        .filter((table) => table !== 'migrations')
        .map((table) => `SELECT '${table}' AS name FROM DUAL WHERE EXISTS (SELECT 1 FROM ${table})`)
        .join(' UNION ALL '),
    );
    const clear = filled.flatMap(({ name: table }) => [
      `DELETE FROM ${table}`,
      ...(numbered.has(table) ? [`ALTER TABLE ${table} AUTO_INCREMENT = 1`] : []),
    ]);
    await connection.query(
      ['SET foreign_key_checks = 0, innodb_lock_wait_timeout = 2, lock_wait_timeout = 2', ...clear].join(
        '; ',
      ),
    );
    return true;
  }).catch(() => false);

/** Returns the URL of a database with all tables and no rows, which another test may use when this one has passed. */
export async function pooledMysql(t: Test): Promise<string> {
  const database = free.pop() ?? (await create());
  t.teardown(async () => {
    if (t.passing() && (await empty(database))) free.push(database);
    else await drop(database.name);
  });
  return urlOf(database.name);
}

process.once('beforeExit', async () => {
  await Promise.all(free.splice(0).map(({ name }) => drop(name)));
});
