import type { PictureRow } from '../../../core/ports/store/agents/pictures.js';
import type { Row } from '../database/connection.js';
import { bigint, integer, primary, text, uuid } from './column.js';
import { table } from './table.js';

export const pictures = table('pictures', {
  hash: primary(text()),
  agentId: uuid,
  workspaceId: uuid,
  type: text(),
  bytes: integer,
  storagePath: text(),
  createdAt: bigint,
});

export function pictureOf(row: Row): PictureRow {
  const { agentId: _, workspaceId: __, ...picture } = pictures.decode(row);
  return picture;
}
