import type { VectorSweeps } from '../../../core/ports/store/knowledge/vectors.js';
import { ANALYSIS } from '../../../core/retrieval/analysis/analyse.js';
import type { Connection } from '../database/connection.js';
import type { Transact } from '../database/transact.js';
import { documentsCount } from '../tables/agents.js';
import { lacksVectors } from '../tables/documents.js';
import type { Models } from '../tables/models.js';

/** An agent with documents and a current index, some of whose documents lack vectors of the space. */
const incomplete = `knowledge_version > 0 AND analysis >= ${ANALYSIS} AND (embedded_as IS NULL OR embedded_as <> ? OR embedded_version <> knowledge_version)`;

const CHOSEN = 'embedding space';

export const createVectorSweeps = (
  { read }: Pick<Connection, 'read'>,
  models: Models,
  transact: Transact,
): VectorSweeps => ({
  async choose(space) {
    await transact((transaction) => models.meta.upsert({ name: CHOSEN, value: space }, { transaction }));
  },
  async chosen() {
    const [row] = await read('SELECT value FROM meta WHERE name = ?', [CHOSEN]);
    return (row?.value as string | undefined) ?? null;
  },
  async agentsToEmbed(space, after, limit) {
    const rows = await read(
      `SELECT id FROM agents WHERE id > ? AND ${incomplete} ORDER BY id LIMIT ${limit}`,
      [after, space],
    );
    return rows.map((row) => row.id as string);
  },
  async documentsToEmbed(agentId, space, now, limit) {
    const rows = await read(
      `SELECT t.document_id FROM document_terms t LEFT JOIN document_vectors v ON v.document_id = t.document_id
        WHERE t.agent_id = ? AND ${lacksVectors} ORDER BY t.version LIMIT ${limit}`,
      [agentId, space, now],
    );
    return rows.map((row) => row.document_id as string);
  },
  async chunks(agentId, besides) {
    const [row] = await read(
      `SELECT (SELECT COALESCE(SUM(chunks), 0) FROM document_vectors WHERE agent_id = ?)
        - (SELECT COALESCE(SUM(chunks), 0) FROM document_vectors WHERE document_id IN (${besides.map(() => '?').join(', ')})) AS n`,
      [agentId, ...besides],
    );
    return Number(row?.n ?? 0);
  },
  async open() {
    const rows = await read(
      `SELECT agent_id FROM jobs WHERE status IN ('pending', 'running') AND type = 'embed'`,
      [],
    );
    const counts = new Map<string, number>();
    for (const { agent_id } of rows) {
      const agentId = agent_id as string;
      counts.set(agentId, (counts.get(agentId) ?? 0) + 1);
    }
    return counts;
  },
  async left(space) {
    const [row] = await read(
      `SELECT COUNT(*) AS agents, COALESCE(SUM(${documentsCount}), 0) AS documents FROM agents WHERE ${incomplete}`,
      [space],
    );
    return { agents: Number(row?.agents ?? 0), documents: Number(row?.documents ?? 0) };
  },
});
