import { createHash } from 'node:crypto';

/** @import { Client } from './database.js' */

/**
 * Each lexeme starts with `agents.key`, so that one index separates the agents and a query costs only its own agent's
 * share. The statistics of an agent are stored in the same row and change with it.
 */
const tables = `
  CREATE TABLE IF NOT EXISTS installation (id TEXT PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS agents (
    key BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    id TEXT COLLATE "C" NOT NULL UNIQUE,
    knowledge_version BIGINT NOT NULL DEFAULT 0,
    removals BIGINT NOT NULL DEFAULT 0,
    documents BIGINT NOT NULL DEFAULT 0,
    chunks BIGINT NOT NULL DEFAULT 0,
    words BIGINT NOT NULL DEFAULT 0
  );
  CREATE TABLE IF NOT EXISTS documents (
    agent BIGINT NOT NULL REFERENCES agents ON DELETE CASCADE,
    id TEXT COLLATE "C" NOT NULL,
    version BIGINT NOT NULL,
    source_type TEXT NOT NULL,
    PRIMARY KEY (agent, id)
  );
  CREATE TABLE IF NOT EXISTS chunks (
    agent BIGINT NOT NULL,
    document TEXT COLLATE "C" NOT NULL,
    chunk INTEGER NOT NULL,
    length INTEGER NOT NULL,
    words TSVECTOR NOT NULL,
    PRIMARY KEY (agent, document, chunk),
    FOREIGN KEY (agent, document) REFERENCES documents ON DELETE CASCADE
  );
  CREATE INDEX IF NOT EXISTS chunks_words ON chunks USING gin (words);
`;

/** Another installation would delete our rows as those of unknown agents. */
export class ForeignSchema extends Error {}

/**
 * Creates missing tables.
 * @param {Client} client in a transaction
 * @param {string} schema
 * @param {Uint8Array} secret of the installation
 */
export const prepareSchema = async (client, schema, secret) => {
  // Several processes may start at once.
  await client.query('SELECT pg_advisory_xact_lock(hashtext($1))', [`cadre ${schema}`]);
  const { rows } = await client.query('SELECT to_regclass($1) IS NOT NULL AS made', [
    `${schema}.chunks_words`,
  ]);
  if (!rows[0].made) await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}; ${tables}`);
  const id = createHash('sha256').update('postgres-retrieval').update(secret).digest('hex');
  await client.query('INSERT INTO installation SELECT $1 WHERE NOT EXISTS (SELECT 1 FROM installation)', [
    id,
  ]);
  const owner = await client.query('SELECT id FROM installation');
  if (owner.rows[0].id !== id)
    throw new ForeignSchema(`the schema ${schema} belongs to another installation: choose another schema`);
};
