import { fetchedTypes, type SourceType } from '../../../core/knowledge/sources/source-types.js';
import type { TurnDocuments } from '../../../core/ports/store/agents/agent-turn.js';
import type { NewContent } from '../../../core/ports/store/rows.js';
import { ANALYSIS } from '../../../core/retrieval/analysis/analyse.js';
import type { Row } from '../database/connection.js';
import { documentOf, urlHash } from '../tables/documents.js';
import type { KeptContent } from './contents.js';
import type { TurnScope } from './scope.js';
import { undoableMap } from './undo.js';

/** How many documents with the same content to examine, oldest first. One turn deletes fewer. */
const MOST_ALIKE = 100;

export function turnDocuments(scope: TurnScope): TurnDocuments {
  const { agent, change, touch, select, execute } = scope;
  const { documents, contents, pageChanges } = scope.pending;
  /** Document ids by URL; null for a URL without a document. */
  const byUrl = undoableMap<string, string | null>(scope.undo);

  const count = (sourceType: SourceType, by: number) => {
    const counts = agent().documents;
    change({ documents: { ...counts, [sourceType]: counts[sourceType] + by } });
  };

  /** Queues the document's new content and index terms. */
  const keep = (documentId: string, sourceType: SourceType, content: KeptContent) => {
    const version = agent().knowledgeVersion + 1;
    change({ knowledgeVersion: version });
    contents.set(documentId, { ...content, agentId: agent().id, sourceType, version });
  };

  const cache = (rows: Row[]) => {
    for (const row of rows.map(documentOf)) {
      const held = documents.cache(row.id, row);
      if (held?.url != null) byUrl.cache(held.url, held.id);
    }
  };

  const load: TurnDocuments['load'] = async (documentIds) => {
    const unknown = [...new Set(documentIds)].filter((id) => documents.get(id) === undefined);
    if (unknown.length === 0) return;
    cache(await select('SELECT * FROM documents WHERE id IN (?) AND agent_id = ?', [unknown, agent().id]));
    for (const id of unknown) documents.cache(id, null);
  };

  const find: TurnDocuments['find'] = async (documentId) => {
    await load([documentId]);
    return documents.get(documentId) ?? null;
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
    load,
    find,
    async findByUrl(url) {
      if (!byUrl.map.has(url)) {
        cache(
          await select('SELECT * FROM documents WHERE agent_id = ? AND url_hash = ?', [
            agent().id,
            urlHash(url),
          ]),
        );
        if (!byUrl.map.has(url)) byUrl.cache(url, null);
      }
      const documentId = byUrl.map.get(url);
      return documentId == null ? null : (documents.get(documentId) ?? null);
    },
    async text(documentId) {
      await scope.write();
      const [row] = await select(
        'SELECT text FROM document_contents WHERE document_id = ? AND agent_id = ?',
        [documentId, agent().id],
      );
      return (row?.text as string | undefined) ?? null;
    },
    async findByContent(sourceType, contentHash) {
      // No ORDER BY, because the index of contents already has this order; with it, SQLite would scan all documents of
      // the type.
      const rows = await select(
        `SELECT * FROM documents WHERE agent_id = ? AND content_hash = ? AND source_type = ? LIMIT ${MOST_ALIKE}`,
        [agent().id, contentHash, sourceType],
      );
      cache(rows);
      // Documents that this turn has changed count in their new state.
      const alike = documents
        .all()
        .filter((row) => row.contentHash === contentHash && row.sourceType === sourceType);
      return alike.sort((a, b) => (a.id < b.id ? -1 : 1))[0] ?? null;
    },
    async pages(after, limit) {
      await scope.write();
      const rows = await select(
        `SELECT id, url, content_hash, metadata FROM documents WHERE agent_id = ? AND source_type IN (?) AND id > ?
          ORDER BY id LIMIT ${limit}`,
        [agent().id, fetchedTypes, after ?? ''],
      );
      return rows.map((row) => ({
        id: row.id as string,
        url: row.url as string,
        contentHash: row.content_hash as string,
        metadata: JSON.parse(row.metadata as string),
      }));
    },
    async insert(row, content) {
      documents.insert(row.id, row);
      if (row.url !== null) byUrl.set(row.url, row.id);
      keep(row.id, row.sourceType, content);
      count(row.sourceType, 1);
    },
    async update(documentId, patch, content) {
      const row = await find(documentId);
      if (!row) return;
      documents.change(documentId, patch);
      if (content) keep(documentId, row.sourceType, content);
      touch();
    },
    recordChange(documentId, change) {
      pageChanges.set(documentId, { ...change, documentId, agentId: agent().id });
    },
    async reindex(documentId, content) {
      await scope.write();
      const row = await find(documentId);
      if (!row) return;
      // Keep the version: the terms are the same, so readers need not reload the document.
      if (await isIndexedAs(documentId, content)) {
        await execute('UPDATE document_terms SET analysis = ? WHERE document_id = ?', [ANALYSIS, documentId]);
        return;
      }
      await execute('UPDATE document_contents SET chunks = ? WHERE document_id = ?', [
        JSON.stringify(content.chunks),
        documentId,
      ]);
      keep(documentId, row.sourceType, { ...content, text: null });
    },
    async finishIndexing() {
      await scope.write();
      const { id, knowledgeVersion, removals } = agent();
      const gone = await execute(
        `DELETE FROM document_terms WHERE agent_id = ?
          AND NOT EXISTS (SELECT 1 FROM documents WHERE documents.id = document_id)`,
        [id],
      );
      if (gone.changed > 0) change({ knowledgeVersion: knowledgeVersion + 1, removals: removals + 1 });
      await execute('UPDATE agents SET analysis = ? WHERE id = ?', [ANALYSIS, id]);
    },
    async delete(row) {
      documents.remove(row.id);
      contents.drop(row.id);
      pageChanges.set(row.id, null);
      if (row.url !== null) byUrl.set(row.url, null);
      const { knowledgeVersion, removals, embeddedVersion } = agent();
      change({
        knowledgeVersion: knowledgeVersion + 1,
        removals: removals + 1,
        // If all documents had vectors, the remaining ones still do.
        ...(embeddedVersion === knowledgeVersion ? { embeddedVersion: knowledgeVersion + 1 } : {}),
      });
      count(row.sourceType, -1);
    },
  };
}
