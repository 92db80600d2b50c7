import type { Statements } from '../database/statements.js';

/** Updates columns of one row. */
export const patchRow = async (
  { execute }: Pick<Statements, 'execute'>,
  table: string,
  id: string,
  values: Record<string, unknown>,
): Promise<void> => {
  const columns = Object.keys(values);
  if (columns.length === 0) return;
  const set = columns.map((column) => `${column} = ?`).join(', ');
  await execute(`UPDATE ${table} SET ${set} WHERE id = ?`, [...Object.values(values), id]);
};

/** Ends the pending deliveries of a disabled webhook. */
export const giveUpDeliveries = ({ execute }: Pick<Statements, 'execute'>, webhookId: string, now: number) =>
  execute(
    `UPDATE webhook_deliveries SET status = 'failed', lease_until_ms = NULL, ended_at = ?, error_code = 'WEBHOOK_DISABLED',
      error_message = 'The webhook was disabled. Enable it, then send this again.' WHERE webhook_id = ? AND status IN ('pending', 'sending')`,
    [now, webhookId],
  );
