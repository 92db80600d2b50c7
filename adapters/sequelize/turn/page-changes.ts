import type { PageChange } from '../../../core/ports/store/agents/page-changes.js';
import { limits } from '../../../core/schemas/limits.js';
import type { Statements } from '../database/statements.js';
import { insertRows } from '../database/write-rows.js';
import { pageChanges } from '../tables/page-changes.js';

export type NewPageChange = PageChange & { documentId: string; agentId: string };

/** Writes changes of pages, and deletes older ones above the limit. */
export async function writePageChanges(
  statements: Pick<Statements, 'select' | 'execute' | 'executeOnce'>,
  changes: NewPageChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const { select, execute } = statements;
  await insertRows(
    statements,
    pageChanges.name,
    changes.map((change) => pageChanges.byColumn(pageChanges.encode(change))),
  );
  const rows = await select(
    'SELECT document_id, id FROM page_changes WHERE document_id IN (?) ORDER BY id DESC',
    [changes.map(({ documentId }) => documentId)],
  );
  const counts = new Map<unknown, number>();
  const old = rows.filter(({ document_id }) => {
    const count = (counts.get(document_id) ?? 0) + 1;
    counts.set(document_id, count);
    return count > limits.pageChanges.most;
  });
  if (old.length > 0) await execute('DELETE FROM page_changes WHERE id IN (?)', [old.map(({ id }) => id)]);
}
