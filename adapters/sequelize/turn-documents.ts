import type { DocumentContent, SourceType, TurnDocuments } from '../../core/ports/store.port.js';
import type { TurnScope } from './agent-turns.js';
import { documentColumns, documentOf, json, urlHash } from './rows.js';

export function turnDocuments({
  models,
  transaction,
  agent,
  change,
  select,
  execute,
}: TurnScope): TurnDocuments {
  const count = (sourceType: SourceType, by: number) => {
    const { documents } = agent();
    change({ documents: { ...documents, [sourceType]: documents[sourceType] + by } });
  };
  const contentColumns = ({ text, chunks }: DocumentContent) => ({ text, chunks: JSON.stringify(chunks) });

  return {
    async find(documentId) {
      const [row] = await select('SELECT * FROM documents WHERE id = ? AND agent_id = ?', [
        documentId,
        agent().id,
      ]);
      return row ? documentOf(row) : null;
    },
    async findByUrl(url) {
      const [row] = await select('SELECT * FROM documents WHERE agent_id = ? AND url_hash = ?', [
        agent().id,
        urlHash(url),
      ]);
      return row ? documentOf(row) : null;
    },
    async pages() {
      const rows = await select(
        `SELECT id, url, metadata FROM documents WHERE agent_id = ? AND source_type = 'web_crawl' ORDER BY id`,
        [agent().id],
      );
      return rows.map((row) => ({
        id: row.id as string,
        url: row.url as string,
        metadata: json(row.metadata),
      }));
    },
    async insert(row, content) {
      await models.documents.create(documentColumns(row), { transaction });
      await models.contents.create(
        { documentId: row.id, agentId: row.agentId, ...contentColumns(content) },
        { transaction },
      );
      count(row.sourceType, 1);
    },
    async update(documentId, patch, content) {
      await models.documents.update(documentColumns(patch), { where: { id: documentId }, transaction });
      if (content)
        await models.contents.update(contentColumns(content), { where: { documentId }, transaction });
      change({});
    },
    async delete(row) {
      await execute('DELETE FROM document_contents WHERE document_id = ?', [row.id]);
      await execute('DELETE FROM documents WHERE id = ?', [row.id]);
      count(row.sourceType, -1);
    },
  };
}
