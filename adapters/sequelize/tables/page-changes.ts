import type { LineChange } from '../../../core/knowledge/text/line-changes.js';
import type { PageChange } from '../../../core/ports/store/agents/page-changes.js';
import type { Row } from '../database/connection.js';
import { bigint, integer, json, primary, uuid } from './column.js';
import { table } from './table.js';

export const pageChanges = table('page_changes', {
  id: primary(uuid),
  documentId: uuid,
  agentId: uuid,
  at: bigint,
  added: integer,
  removed: integer,
  diff: json<LineChange[]>(),
});

export function pageChangeOf(row: Row): PageChange {
  const { documentId: _, agentId: __, ...change } = pageChanges.decode(row);
  return change;
}
