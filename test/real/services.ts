import type { Test } from 'tap';
import { azuriteMissing } from '../support/azurite.js';
import { emptyMysql, mysqlMissing } from '../support/mysql.js';
import { rabbitmqMissing } from '../support/rabbitmq.js';

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
  const { url, connection } = await emptyMysql(t);
  return {
    url,
    async rows(sql, params = []) {
      const [rows] = await connection.query(sql, params);
      return rows as Record<string, unknown>[];
    },
  };
}
