import type { Connection, Row } from './connection.js';

/**
 * Reads rows and waits until they are on disk. For callers that confirm the write they have read, or that act
 * irreversibly. Rejects as `onDisk` does.
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
