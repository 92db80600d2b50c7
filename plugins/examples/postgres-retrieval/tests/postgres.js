import { randomUUID } from 'node:crypto';
import pg from 'pg';

/** Test server; each test creates its own database. */
export const serverUrl = process.env.POSTGRES_URL ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/**
 * Runs statements on a new connection.
 * @template T
 * @param {string} url
 * @param {(client: pg.Client) => Promise<T>} work
 */
export const withPostgres = async (url, work) => {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 3000 });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

/**
 * Returns why tests are skipped; false if PostgreSQL can be reached, or with REQUIRE_SERVICES=1, so that they fail
 * instead.
 */
export const postgresMissing = async () => {
  if (process.env.REQUIRE_SERVICES === '1') return false;
  return withPostgres(serverUrl, async () => false).catch(() => 'PostgreSQL is not reachable (POSTGRES_URL)');
};

/** Creates a database; `drop` also ends its connections. */
export const freshDatabase = async () => {
  const name = `cadre_test_${randomUUID().replaceAll('-', '')}`;
  const administer = (/** @type {string} */ sql) =>
    withPostgres(serverUrl, async (client) => void (await client.query(sql)));
  await administer(`CREATE DATABASE ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    options: { url: url.href, schema: 'cadre', connections: 4 },
    drop: () => administer(`DROP DATABASE ${name} WITH (FORCE)`),
  };
};
