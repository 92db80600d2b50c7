import type { UploadRow } from '../../../core/ports/store/rows.js';
import type { Row } from '../database/connection.js';
import { bigint, named, orNull, primary, text, uuid } from './column.js';
import { table } from './table.js';

export const uploads = table('uploads', {
  storagePath: named('path', primary(text())),
  agentId: uuid,
  workspaceId: uuid,
  fileName: text(),
  issuedAt: bigint,
  registeredAt: orNull(bigint),
  bytes: bigint,
  heldBytes: bigint,
  arrivingBytes: bigint,
});

export function uploadOf(row: Row): UploadRow {
  const { heldBytes: _, arrivingBytes: __, ...upload } = uploads.decode(row);
  return upload;
}

/** Objects to delete from the storage. */
export const discards = table('discards', { path: primary(text()), createdAt: bigint });
