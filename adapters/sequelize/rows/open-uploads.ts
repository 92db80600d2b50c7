import type { Connection } from '../database/connection.js';
import type { Statements } from '../database/statements.js';

/**
 * Counts the unregistered uploads of a locked workspace, and their stored and expected bytes. On MySQL, a plain read
 * would use the snapshot of the transaction's first read, which may be older than the lock.
 */
export async function openUploads(
  { select }: Pick<Statements, 'select'>,
  dialect: Connection['dialect'],
  workspaceId: string,
): Promise<{ count: number; bytes: number }> {
  const [row] = await select(
    `SELECT COUNT(*) AS n, COALESCE(SUM(held_bytes + arriving_bytes), 0) AS bytes FROM uploads
      WHERE workspace_id = ? AND registered_at IS NULL${dialect === 'mysql' ? ' LOCK IN SHARE MODE' : ''}`,
    [workspaceId],
  );
  return { count: Number(row?.n ?? 0), bytes: Number(row?.bytes ?? 0) };
}
