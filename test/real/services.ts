import { randomBytes } from 'node:crypto';
import { createConnection } from 'mysql2/promise';
import type { Test } from 'tap';
import { azuriteMissing } from '../support/azurite.js';
import { rabbitmqMissing } from '../support/rabbitmq.js';

const mysqlUrl = 'mysql://root@127.0.0.1:3306';

async function mysqlMissing(): Promise<string | false> {
  if (process.env.REQUIRE_SERVICES === '1') return false;
  try {
    await (await createConnection({ uri: mysqlUrl, connectTimeout: 3000 })).end();
    return false;
  } catch {
    return 'MariaDB or MySQL is not reachable on 127.0.0.1:3306';
  }
}

/** Why tests of the whole installation are skipped, or false. With REQUIRE_SERVICES=1 they are never skipped. */
export async function servicesMissing(): Promise<string | false> {
  const missing = [await mysqlMissing(), await rabbitmqMissing(), azuriteMissing()].filter(Boolean);
  return missing.length === 0 ? false : missing.join('; ');
}

export interface TestDatabase {
  url: string;
  /** Rows of a query on a separate connection. */
  rows(sql: string, params?: unknown[]): Promise<Record<string, unknown>[]>;
}

/** A fresh database on the server, dropped when the test ends. */
export async function freshDatabase(t: Test): Promise<TestDatabase> {
  const name = `cadre_test_${randomBytes(6).toString('hex')}`;
  const connection = await createConnection(mysqlUrl);
  await connection.query(`CREATE DATABASE ${name}`);
  await connection.query(`USE ${name}`);
  t.teardown(async () => {
    await connection.query(`DROP DATABASE ${name}`);
    await connection.end();
  });
  return {
    url: `${mysqlUrl}/${name}`,
    async rows(sql, params = []) {
      const [rows] = await connection.query(sql, params);
      return rows as Record<string, unknown>[];
    },
  };
}
