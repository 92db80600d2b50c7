import { setTimeout as pause } from 'node:timers/promises';
import { apply } from './apply.js';
import { openDatabase, read, transaction } from './database.js';
import { ForeignSchema, prepareSchema } from './schema.js';
import { search } from './search.js';

/**
 * @import { PluginContext, Retrieval, Started } from 'cadre/plugin'
 */

/** @typedef {{ url: string, schema: string, connections: number }} PostgresOptions */

const HEALTH_MS = 2000;

/** Cadre recognises the error by its name. */
const unavailable = (/** @type {unknown} */ cause) =>
  Object.assign(new Error(cause instanceof Error ? cause.message : String(cause), { cause }), {
    name: 'RetrievalUnavailable',
  });

/** Errors that only an operator can fix: https://www.postgresql.org/docs/current/errcodes-appendix.html */
const refusals = [
  '28P01', // wrong password
  '28000', // unknown user, or not allowed from this host
  '3D000', // unknown database
  '42501', // missing privilege
];
const isRefusal = (/** @type {any} */ error) =>
  error instanceof ForeignSchema || refusals.includes(error?.code);

/** The URL must not be in a message, because it contains a password. */
const checkUrl = (/** @type {string} */ url) => {
  if (!URL.canParse(url)) throw new Error('option url is not a valid URL; are special characters escaped?');
};

/**
 * Starts even if PostgreSQL is down (`health` reports it); rejects if PostgreSQL refuses the connection.
 * @param {PluginContext<PostgresOptions>} context
 * @returns {Promise<Started<Retrieval>>}
 */
export const startEngine = async ({ options, log, processName, secret }) => {
  const { url, schema, connections } = options;
  checkUrl(url);
  const database = openDatabase({ url, schema, connections, name: `cadre ${processName}`, log });
  /** @type {Promise<void> | null} */
  let prepared = null;
  let over = false;

  /** Creates the tables once; the next caller retries after a failure. */
  const ready = () => {
    prepared ??= transaction(database, (client) => prepareSchema(client, schema, secret)).catch((error) => {
      prepared = null;
      throw error;
    });
    return prepared;
  };

  /**
   * @template T
   * @param {() => Promise<T>} work
   */
  const using = async (work) => {
    if (over) throw unavailable('the PostgreSQL engine is stopped');
    try {
      await ready();
      return await work();
    } catch (error) {
      // The tables were deleted.
      if (/** @type {any} */ (error)?.code === '42P01') prepared = null;
      throw unavailable(error);
    }
  };

  /** @type {Retrieval} */
  const port = {
    feed: {
      known: (after, limit) =>
        using(async () => {
          const { rows } = await database.query(
            'SELECT id, knowledge_version, removals FROM agents WHERE id > $1 ORDER BY id LIMIT $2',
            [after, limit],
          );
          return rows.map(({ id, knowledge_version, removals }) => ({
            id,
            knowledgeVersion: Number(knowledge_version),
            removals: Number(removals),
          }));
        }),
      apply: (changes) => using(() => transaction(database, (client) => apply(client, changes))),
    },
    search: (request) => using(() => search(database, request)),
    forget: (agentId) =>
      using(async () => void (await database.query('DELETE FROM agents WHERE id = $1', [agentId]))),
    health: async () => {
      try {
        await using(() => read(database, HEALTH_MS, 'SELECT 1 FROM agents LIMIT 1'));
        return { ok: true };
      } catch (error) {
        return { ok: false, reason: `PostgreSQL: ${/** @type {Error} */ (error).message}` };
      }
    },
  };

  /** @type {Promise<unknown> | null} */
  let stopping = null;
  /** @type {Started<Retrieval>['stop']} */
  const stop = async ({ deadlineMs }) => {
    over = true;
    stopping ??= database.end();
    await Promise.race([stopping, pause(deadlineMs, undefined, { ref: false })]);
  };

  try {
    await ready();
    log.debug({ schema }, 'connected to PostgreSQL');
  } catch (error) {
    if (!isRefusal(error)) log.warn({ err: error }, 'no connection to PostgreSQL');
    else {
      await stop({ deadlineMs: 1000 });
      throw new Error('PostgreSQL refuses this installation: check the URL, its user, database and schema', {
        cause: error,
      });
    }
  }
  return { port, stop };
};
