import type { SourceType } from '../../../core/knowledge/sources/source-types.js';
import type { PlacedChunk } from '../../../core/knowledge/text/chunk-text.js';
import type { KnowledgeReads } from '../../../core/ports/store/knowledge/knowledge-reads.js';
import type { Connection } from '../database/connection.js';

/** `document_terms.version` is the outbox: each change of an agent's knowledge has its own version, in commit order. */
export const createKnowledgeReads = ({ read }: Pick<Connection, 'read'>): KnowledgeReads => ({
  async states(after, limit) {
    const rows = await read(
      `SELECT id, knowledge_version, removals FROM agents WHERE id > ? ORDER BY id LIMIT ${limit}`,
      [after],
    );
    return rows.map((row) => ({
      id: row.id as string,
      knowledgeVersion: Number(row.knowledge_version),
      removals: Number(row.removals),
    }));
  },
  async changed(agentId, after, upTo, limit) {
    const rows = await read(
      `SELECT document_id, version FROM document_terms
        WHERE agent_id = ? AND version > ? AND version <= ? ORDER BY version LIMIT ${limit}`,
      [agentId, after, upTo],
    );
    return rows.map((row) => ({ documentId: row.document_id as string, version: Number(row.version) }));
  },
  async document(agentId, documentId) {
    const [row] = await read(
      `SELECT d.id, d.source_type, d.title, t.version, c.text, c.chunks
        FROM documents d JOIN document_terms t ON t.document_id = d.id JOIN document_contents c ON c.document_id = d.id
        WHERE d.id = ? AND d.agent_id = ?`,
      [documentId, agentId],
    );
    if (!row) return null;
    return {
      id: row.id as string,
      sourceType: row.source_type as SourceType,
      title: row.title as string,
      version: Number(row.version),
      text: row.text as string,
      chunks: JSON.parse(row.chunks as string) as PlacedChunk[],
    };
  },
  async documentIds(agentId) {
    const rows = await read('SELECT document_id FROM document_terms WHERE agent_id = ?', [agentId]);
    return rows.map((row) => row.document_id as string);
  },
});
