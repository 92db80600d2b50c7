import type { Connection, Row } from './connection.js';

/**
 * Rows that are on the disk: for who says that something is stored because it has found it, or does what cannot be
 * undone. Rejects as `onDisk` does.
 */
export async function readOnDisk(
  { read, onDisk }: Pick<Connection, 'read' | 'onDisk'>,
  sql: string,
  params: unknown[],
): Promise<Row[]> {
  const rows = await read(sql, params);
  if (rows.length > 0) await onDisk?.();
  return rows;
}
