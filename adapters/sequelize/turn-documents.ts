import type { SourceType } from '../../core/knowledge/source-types.js';
import type { TurnDocuments } from '../../core/ports/store/agent-turn.js';
import type { DocumentContent, NewContent } from '../../core/ports/store/rows.js';
import { ANALYSIS } from '../../core/retrieval/analysis/analyse.js';
import { documentColumns, documentOf, urlHash } from './tables/documents.js';
import type { TurnScope } from './turn-scope.js';

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

  /** What the document is found by from this turn on. */
  const writeTerms = async (
    documentId: string,
    sourceType: SourceType,
    { segment }: Pick<NewContent, 'segment'>,
  ) => {
    const version = agent().knowledgeVersion + 1;
    change({ knowledgeVersion: version });
    // One row for each document: a content that replaces another does so under a new version.
    await models.terms.upsert(
      {
        documentId,
        agentId: agent().id,
        version,
        analysis: ANALYSIS,
        sourceType,
        segment: Buffer.from(segment.buffer, segment.byteOffset, segment.byteLength),
      },
      { transaction },
    );
  };
  const sourceTypeOf = async (documentId: string): Promise<SourceType> => {
    const [row] = await select('SELECT source_type FROM documents WHERE id = ?', [documentId]);
    return row?.source_type as SourceType;
  };

  const isIndexedAs = async (documentId: string, { chunks, segment }: Omit<NewContent, 'text'>) => {
    const [row] = await select(
      `SELECT chunks, segment FROM document_terms t JOIN document_contents c ON c.document_id = t.document_id
        WHERE t.document_id = ?`,
      [documentId],
    );
    return (
      row !== undefined &&
      row.chunks === JSON.stringify(chunks) &&
      Buffer.compare(row.segment as Uint8Array, segment) === 0
    );
  };

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
    async pages(after, limit) {
      const rows = await select(
        `SELECT id, url, metadata FROM documents WHERE agent_id = ? AND source_type = 'web_crawl' AND id > ?
          ORDER BY id LIMIT ${limit}`,
        [agent().id, after ?? ''],
      );
      return rows.map((row) => ({
        id: row.id as string,
        url: row.url as string,
        metadata: JSON.parse(row.metadata as string),
      }));
    },
    async insert(row, content) {
      await models.documents.create(documentColumns(row), { transaction });
      await models.contents.create(
        { documentId: row.id, agentId: row.agentId, ...contentColumns(content) },
        { transaction },
      );
      await writeTerms(row.id, row.sourceType, content);
      count(row.sourceType, 1);
    },
    async update(documentId, patch, content) {
      await models.documents.update(documentColumns(patch), { where: { id: documentId }, transaction });
      if (content) {
        await models.contents.update(contentColumns(content), { where: { documentId }, transaction });
        await writeTerms(documentId, await sourceTypeOf(documentId), content);
      }
      change({});
    },
    async reindex(documentId, content) {
      // The same answers come of it: those who are asking just now need not begin again.
      if (await isIndexedAs(documentId, content)) {
        await execute('UPDATE document_terms SET analysis = ? WHERE document_id = ?', [ANALYSIS, documentId]);
        return;
      }
      await models.contents.update(
        { chunks: JSON.stringify(content.chunks) },
        { where: { documentId }, transaction },
      );
      await writeTerms(documentId, await sourceTypeOf(documentId), content);
    },
    async finishIndexing() {
      const { id, knowledgeVersion, removals } = agent();
      const gone = await select(
        `SELECT document_id FROM document_terms WHERE agent_id = ?
          AND NOT EXISTS (SELECT 1 FROM documents WHERE documents.id = document_id)`,
        [id],
      );
      if (gone.length > 0) {
        await execute('DELETE FROM document_terms WHERE document_id IN (?)', [
          gone.map((row) => row.document_id),
        ]);
        change({ knowledgeVersion: knowledgeVersion + 1, removals: removals + 1 });
      }
      await execute('UPDATE agents SET analysis = ? WHERE id = ?', [ANALYSIS, id]);
    },
    async delete(row) {
      await execute('DELETE FROM document_terms WHERE document_id = ?', [row.id]);
      await execute('DELETE FROM document_contents WHERE document_id = ?', [row.id]);
      await execute('DELETE FROM documents WHERE id = ?', [row.id]);
      const { knowledgeVersion, removals } = agent();
      change({ knowledgeVersion: knowledgeVersion + 1, removals: removals + 1 });
      count(row.sourceType, -1);
    },
  };
}
