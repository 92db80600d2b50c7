import type { DraftFields, DraftRow } from '../../../core/ports/store/agents/drafts.js';
import type { AuditActor } from '../../../core/ports/store/audit.js';
import type { Row } from '../database/connection.js';
import { bigint, json, primary, uuid } from './column.js';
import { table } from './table.js';

export const drafts = table('agent_drafts', {
  agentId: primary(uuid),
  fields: json<DraftFields>(),
  updatedAt: bigint,
  updatedBy: json<AuditActor>(),
});

export function draftOf(row: Row): DraftRow {
  const { agentId: _, ...draft } = drafts.decode(row);
  return draft;
}
