import type { TurnVectors } from '../../../core/ports/store/knowledge/vectors.js';
import { insertRows } from '../database/write-rows.js';
import { lacksVectors, vectors as table } from '../tables/documents.js';
import type { TurnScope } from './scope.js';

/** Vectors of the agent's documents. Not buffered, because a turn that stores vectors writes little else. */
export function turnVectors(scope: TurnScope): TurnVectors {
  const { agent, change, select, execute, dialect } = scope;
  const upsert = (rows: Parameters<typeof table.encode>[0][]) => {
    const written = rows.map((row) => table.byColumn(table.encode(row)));
    const columns = Object.keys(written[0] ?? {}).filter(
      (column) => !['document_id', 'agent_id'].includes(column),
    );
    return insertRows(scope, table.name, written, { dialect, key: 'document_id', columns });
  };

  /** Returns the current versions of these documents. */
  async function versionsOf(documentIds: readonly string[]): Promise<Map<string, number>> {
    await scope.write();
    const rows = await select(
      'SELECT document_id, version FROM document_terms WHERE document_id IN (?) AND agent_id = ?',
      [documentIds, agent().id],
    );
    return new Map(rows.map((row) => [row.document_id as string, Number(row.version)]));
  }

  return {
    async claim(space, documents, now, until) {
      await scope.write();
      const rows = await select(
        `SELECT t.document_id, t.version FROM document_terms t LEFT JOIN document_vectors v ON v.document_id = t.document_id
          WHERE t.document_id IN (?) AND t.agent_id = ? AND ${lacksVectors}`,
        [documents.map(({ documentId }) => documentId), agent().id, space, now],
      );
      const lacking = new Map(rows.map((row) => [row.document_id as string, Number(row.version)]));
      if (documents.some(({ documentId, version }) => lacking.get(documentId) !== version)) return false;
      await upsert(
        documents.map((document) => ({
          ...document,
          agentId: agent().id,
          space,
          dueAt: until,
          dimensions: null,
          vectors: null,
        })),
      );
      return true;
    },
    async keep(space, dimensions, rows) {
      const [other] = await select(
        'SELECT document_id FROM document_vectors WHERE agent_id = ? AND space = ? AND dimensions <> ? AND chunks > 0 LIMIT 1',
        [agent().id, space, dimensions],
      );
      if (other) return false;
      const versions = await versionsOf(rows.map(({ documentId }) => documentId));
      for (const { documentId, version, vectors } of rows) {
        if (versions.get(documentId) !== version) continue;
        await execute(
          'UPDATE document_vectors SET dimensions = ?, vectors = ?, due_at = 0 WHERE document_id = ? AND space = ? AND version = ?',
          [
            dimensions,
            Buffer.from(vectors.buffer, vectors.byteOffset, vectors.byteLength),
            documentId,
            space,
            version,
          ],
        );
      }
      return true;
    },
    async putOff(documentIds, dueAt) {
      await execute(
        'UPDATE document_vectors SET due_at = ? WHERE document_id IN (?) AND agent_id = ? AND dimensions IS NULL',
        [dueAt, documentIds, agent().id],
      );
    },
    async finish(space) {
      await scope.write();
      const [lacking] = await select(
        `SELECT t.document_id FROM document_terms t
          LEFT JOIN document_vectors v ON v.document_id = t.document_id AND v.space = ? AND v.version = t.version AND v.dimensions IS NOT NULL
          WHERE t.agent_id = ? AND v.document_id IS NULL LIMIT 1`,
        [space, agent().id],
      );
      if (lacking) return false;
      change({ embeddedAs: space, embeddedVersion: agent().knowledgeVersion });
      return true;
    },
  };
}
