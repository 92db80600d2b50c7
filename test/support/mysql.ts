import { randomBytes } from 'node:crypto';
import { type Connection, createConnection } from 'mysql2/promise';
import type { Test } from 'tap';

export const SERVER = 'mysql://root@127.0.0.1:3306';

/** Databases that are tested: those of the tier, or both. */
export const testedDatabases: readonly string[] = (process.env.TEST_DATABASES ?? 'sqlite mysql').split(' ');

/** Why tests on MySQL are skipped, or false. With REQUIRE_SERVICES=1 they are never skipped. */
export async function mysqlMissing(): Promise<string | false> {
  if (!testedDatabases.includes('mysql')) return 'npm run test:all has it';
  if (process.env.REQUIRE_SERVICES === '1') return false;
  try {
    await (await createConnection({ uri: SERVER, connectTimeout: 3000 })).end();
    return false;
  } catch {
    return 'MariaDB or MySQL is not reachable on 127.0.0.1:3306';
  }
}

/** An empty database, dropped when the test ends, and a plain connection to it. */
export async function emptyMysql(t: Test): Promise<{ url: string; connection: Connection }> {
  const name = `cadre_test_${randomBytes(6).toString('hex')}`;
  const connection = await createConnection(SERVER);
  await connection.query(`CREATE DATABASE ${name}`);
  await connection.query(`USE ${name}`);
  t.teardown(async () => {
    await connection.query(`DROP DATABASE ${name}`);
    await connection.end();
  });
  return { url: `${SERVER}/${name}`, connection };
}
