import type { ErasureRow, PersonKind } from '../../../core/ports/store/erasures.js';
import { bigint, bytes, json, orNull, primary, text, uuid } from './column.js';
import { table } from './table.js';

export const erasures = table('erasures', {
  id: primary(uuid),
  workspaceId: uuid,
  kind: text<PersonKind>(),
  person: orNull(bytes),
  personHash: text(),
  agentIds: json<string[]>(),
  status: text<ErasureRow['status']>(),
  sources: json<string[]>(),
  createdAt: bigint,
  endedAt: orNull(bigint),
  leaseUntilMs: bigint,
});
