import { randomBytes } from 'node:crypto';
import { createConnection } from 'mysql2/promise';
import { engines } from './installation.js';
import { type HttpPeer, install, peersFolder, startPeer } from './peers.js';

const folder = `${peersFolder}/strapi`;

/** Strapi on a database of its own, which outlives its starts. */
export interface Strapi {
  /** A string says why it could not be started. */
  start(): Promise<HttpPeer | string>;
  /** Drops the database. */
  close(): Promise<void>;
}

/** With agents of these ids, sources of the first of them, and this key. */
export async function prepareStrapi({ agentIds = [], key = '' }: { agentIds?: string[]; key?: string } = {}) {
  const problem = install(folder);
  const schema = `cadre_bench_strapi_${randomBytes(4).toString('hex')}`;
  const database = await createConnection(engines.DATABASE_SERVER_URL);
  await database.query(`CREATE DATABASE ${schema}`);
  const env = {
    DATABASE_URL: `${engines.DATABASE_SERVER_URL}/${schema}`,
    PORT: '0',
    NODE_ENV: 'production',
    STRAPI_TELEMETRY_DISABLED: 'true',
    STRAPI_DISABLE_UPDATE_NOTIFICATION: 'true',
    BENCH_KEY: key,
    BENCH_AGENTS: agentIds.join(','),
  };
  const strapi: Strapi = {
    start: async () => problem ?? startPeer(`${folder}/server.js`, env),
    async close() {
      await database.query(`DROP DATABASE ${schema}`);
      await database.end();
    },
  };
  return strapi;
}
