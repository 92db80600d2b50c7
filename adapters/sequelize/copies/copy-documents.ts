import type { CopiedDocument } from '../../../core/ports/store/agents/copies.js';
import type { DocumentRow } from '../../../core/ports/store/rows.js';
import type { Statements } from '../database/statements.js';
import { insertRows } from '../database/write-rows.js';
import { documentColumns, documentOf, documents } from '../tables/documents.js';

/** Returns the rows of these documents, as they are now, with what each copy has of its own. */
export async function currentDocuments(
  { select }: Pick<Statements, 'select'>,
  agentId: string,
  wanted: readonly CopiedDocument[],
): Promise<(CopiedDocument & { row: DocumentRow })[]> {
  const rows = await select('SELECT * FROM documents WHERE id IN (?) AND agent_id = ?', [
    wanted.map(({ id }) => id),
    agentId,
  ]);
  const found = new Map(rows.map(documentOf).map((row) => [row.id, row]));
  return wanted.flatMap((document) => {
    const row = found.get(document.id);
    return row ? [{ ...document, row }] : [];
  });
}

/**
 * Inserts the documents with their contents, index terms and vectors. The large values never leave the database. `version`
 * is the knowledge version of the new agent before them.
 */
export async function insertCopies(
  statements: Statements,
  agentId: string,
  found: readonly (CopiedDocument & { row: DocumentRow })[],
  { version, now }: { version: number; now: number },
): Promise<void> {
  const rows = found.map(({ newId, storagePath, row }) =>
    documents.byColumn(documentColumns({ ...row, id: newId, agentId, storagePath, createdAt: now })),
  );
  await insertRows(statements, documents.name, rows);
  for (const [n, { id, newId }] of found.entries()) {
    await statements.execute(
      `INSERT INTO document_contents (document_id, agent_id, text, chunks)
        SELECT ?, ?, text, chunks FROM document_contents WHERE document_id = ?`,
      [newId, agentId, id],
    );
    await statements.execute(
      `INSERT INTO document_terms (document_id, agent_id, version, analysis, source_type, segment)
        SELECT ?, ?, ?, analysis, source_type, segment FROM document_terms WHERE document_id = ?`,
      [newId, agentId, version + n + 1, id],
    );
    // Only vectors of the present text.
    await statements.execute(
      `INSERT INTO document_vectors (document_id, agent_id, space, version, chunks, due_at, dimensions, vectors)
        SELECT ?, ?, v.space, ?, v.chunks, 0, v.dimensions, v.vectors FROM document_vectors v
          JOIN document_terms t ON t.document_id = v.document_id AND t.version = v.version
          WHERE v.document_id = ? AND v.dimensions IS NOT NULL`,
      [newId, agentId, version + n + 1, id],
    );
  }
}
