import { vectorOf } from './lexemes.js';

/**
 * @import { FedDocument, KnowledgeChanges, KnowledgeState } from 'cadre/plugin'
 * @import { Client } from './database.js'
 */

/** Chunks per statement. */
const AT_A_TIME = 250;

/**
 * Applies the changes if they follow the stored state of the agent.
 * @param {Client} client in a transaction
 * @param {KnowledgeChanges} changes
 * @returns {Promise<KnowledgeState>}
 */
export const apply = async (client, { agentId, after, knowledgeVersion, documents, left }) => {
  const known = await lockAgent(client, agentId);
  if (known.knowledgeVersion !== after)
    return { id: agentId, knowledgeVersion: known.knowledgeVersion, removals: known.removals };
  const { key } = known;
  await client.query('DELETE FROM documents WHERE agent = $1 AND id = ANY($2)', [
    key,
    documents.map(({ documentId }) => documentId),
  ]);
  for (const document of documents) await insert(client, key, document);
  if (left !== null)
    await client.query('DELETE FROM documents WHERE agent = $1 AND NOT (id = ANY($2))', [
      key,
      left.documentIds,
    ]);
  const removals = left?.removals ?? known.removals;
  await client.query(
    `UPDATE agents SET knowledge_version = $2, removals = $3,
       documents = (SELECT count(*) FROM documents WHERE agent = key),
       (chunks, words) = (SELECT count(*), coalesce(sum(length), 0) FROM chunks WHERE agent = key)
     WHERE key = $1`,
    [key, knowledgeVersion, removals],
  );
  return { id: agentId, knowledgeVersion, removals };
};

/**
 * Serialises the changes of one agent, so that each writer sees the state of the previous one.
 * @param {Client} client
 * @param {string} agentId
 */
const lockAgent = async (client, agentId) => {
  await client.query('INSERT INTO agents (id) VALUES ($1) ON CONFLICT DO NOTHING', [agentId]);
  const { rows } = await client.query(
    'SELECT key, knowledge_version, removals FROM agents WHERE id = $1 FOR UPDATE',
    [agentId],
  );
  if (rows.length === 0) throw new Error('the agent has been deleted');
  const { key, knowledge_version, removals } = rows[0];
  return {
    key: String(key),
    knowledgeVersion: Number(knowledge_version),
    removals: Number(removals),
  };
};

/**
 * @param {Client} client
 * @param {string} key
 * @param {FedDocument} document
 */
const insert = async (client, key, { documentId, version, sourceType, chunks }) => {
  await client.query('INSERT INTO documents VALUES ($1, $2, $3, $4)', [key, documentId, version, sourceType]);
  /** @type {{ length: number, vector: string }[]} */
  let rows = [];
  let first = 0;
  const write = async () => {
    await client.query(
      `INSERT INTO chunks SELECT $1, $2, $3 + n - 1, length, vector::tsvector
         FROM unnest($4::integer[], $5::text[]) WITH ORDINALITY AS rows (length, vector, n)`,
      [key, documentId, first, rows.map(({ length }) => length), rows.map(({ vector }) => vector)],
    );
    first += rows.length;
    rows = [];
  };
  for await (const { words } of chunks) {
    const length = [...words.values()].reduce((sum, count) => sum + count, 0);
    rows.push({ length, vector: vectorOf(key, words) });
    if (rows.length === AT_A_TIME) await write();
  }
  if (rows.length > 0) await write();
};
