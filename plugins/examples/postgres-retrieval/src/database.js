import pg from 'pg';

/** @import { Log } from 'cadre/plugin' */

const CONNECT_MS = 3000;
/** Timeout of a statement on the server; the client's is slightly longer, for a server that does not answer. */
const STATEMENT_MS = 60_000;
const SILENT_MS = 65_000;

/** @typedef {pg.Pool} Database */
/** @typedef {pg.PoolClient} Client */

/**
 * Opens a pool that connects on demand and reconnects.
 * @param {{ url: string, schema: string, connections: number, name: string, log: Log }} options
 */
export const openDatabase = ({ url, schema, connections, name, log }) => {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: STATEMENT_MS,
    query_timeout: SILENT_MS,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: name,
    // Force index scans regardless of the planner's estimates, because all searches have an index.
    options: `-c search_path=${schema} -c enable_seqscan=off`,
  });
  // A lost idle connection must not end the process.
  pool.on('error', (err) => log.debug({ err }, 'an idle connection to PostgreSQL was lost'));
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
};

/**
 * Commits if `work` resolves, else rolls back.
 * @template T
 * @param {Database} database
 * @param {(client: Client) => Promise<T>} work
 * @returns {Promise<T>}
 */
export const transaction = async (database, work) => {
  const client = await database.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    // The server rolls back when the connection ends.
    client.release(true);
    throw error;
  }
};

/**
 * Runs a query with a timeout.
 * @param {Database} database
 * @param {number} timeoutMs
 * @param {string} text
 * @param {unknown[]} [values]
 */
export const read = async (database, timeoutMs, text, values = []) => {
  const query = /** @type {pg.QueryConfig} */ ({ text, values, query_timeout: timeoutMs });
  return (await database.query(query)).rows;
};
