import pg from 'pg';

/** @import { Log } from 'cadre/plugin' */

const CONNECT_MS = 3000;
/** The server gives up on a statement after this long; we do a little later, should it have fallen silent. */
const STATEMENT_MS = 60_000;
const SILENT_MS = 65_000;

/** @typedef {pg.Pool} Database */
/** @typedef {pg.PoolClient} Client */

/**
 * Connects when it is first asked, and again after every loss.
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
    // What is looked for stands in an index, however few rows there are and whatever the planner believes.
    options: `-c search_path=${schema} -c enable_seqscan=off`,
  });
  // A lost connection ends whatever waits for it; the process goes on.
  pool.on('error', (err) => log.debug({ err }, 'an idle connection to PostgreSQL was lost'));
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
};

/**
 * Commits when `work` resolves, and takes everything back when it does not.
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
    // The server takes back what a connection has begun when it ends.
    client.release(true);
    throw error;
  }
};

/**
 * Reads, and gives up when there is no answer in time.
 * @param {Database} database
 * @param {number} timeoutMs
 * @param {string} text
 * @param {unknown[]} [values]
 */
export const read = async (database, timeoutMs, text, values = []) => {
  const query = /** @type {pg.QueryConfig} */ ({ text, values, query_timeout: timeoutMs });
  return (await database.query(query)).rows;
};
