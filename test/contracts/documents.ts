import type { SourceType } from '../../core/knowledge/sources/source-types.js';
import type { DocumentRow } from '../../core/ports/store/rows.js';
import type { Store } from '../../core/ports/store/store.port.js';

/** All documents of an agent, or those of one type, newest first. */
export async function documentsOf(
  { reads, knowledge }: Pick<Store, 'reads' | 'knowledge'>,
  agentId: string,
  type?: SourceType,
): Promise<DocumentRow[]> {
  const ids = (await knowledge.documentIds(agentId)).sort().reverse();
  const rows = await Promise.all(ids.map((id) => reads.document(agentId, id)));
  return rows.flatMap((row) => (row && (type === undefined || row.sourceType === type) ? [row] : []));
}
