import type { CopyRow } from '../../../core/ports/store/agents/copies.js';
import type { AuditActor } from '../../../core/ports/store/audit.js';
import type { JsonObject } from '../../../core/schemas/json.js';
import type { Row } from '../database/connection.js';
import { bigint, integer, json, orNull, primary, text, uuid } from './column.js';
import { table } from './table.js';

export const copies = table('agent_copies', {
  agentId: primary(uuid),
  sourceId: uuid,
  workspaceId: uuid,
  name: text(),
  url: orNull(text()),
  settings: json<JsonObject>(),
  leftOut: json<readonly string[]>(),
  actor: json<AuditActor>(),
  jobId: bigint,
  status: text<'running' | 'done'>(),
  lastDocumentId: orNull(uuid),
  copiedUpTo: orNull(uuid),
  copied: integer,
  bytesLeft: bigint,
  tries: integer,
  leaseToken: orNull(uuid),
  leaseUntilMs: bigint,
  createdAt: bigint,
});

export function copyOf(row: Row): CopyRow {
  const { status: _, leaseToken: __, leaseUntilMs: ___, ...copy } = copies.decode(row);
  return copy;
}
