import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Test } from 'tap';

/** The PostgreSQL for tests: POSTGRES_URL, or the default of a local server. */
const serverUrl = process.env.POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

async function query(url: string, sql: string, values: unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** Why tests that need PostgreSQL are skipped, or false. With REQUIRE_SERVICES=1 they are never skipped. */
export const postgresMissing = async (): Promise<string | false> => {
  if (process.env.REQUIRE_SERVICES === '1') return false;
  return query(serverUrl, 'SELECT 1').then(
    () => false as const,
    () => 'PostgreSQL is not reachable (POSTGRES_URL)',
  );
};

export interface PostgresDatabase {
  url: string;
  /** Rows of a query on a separate connection. */
  rows(sql: string, values?: unknown[]): Promise<Record<string, unknown>[]>;
}

/** A fresh database on the server, dropped with all its connections when the test ends. */
export async function freshPostgres(t: Test): Promise<PostgresDatabase> {
  const name = `cadre_test_${randomBytes(6).toString('hex')}`;
  await query(serverUrl, `CREATE DATABASE ${name}`);
  t.teardown(() => query(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href, rows: (sql, values) => query(url.href, sql, values) };
}
