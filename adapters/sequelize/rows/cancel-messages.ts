import type { Statements } from '../database/statements.js';

/**
 * Cancels waiting messages. A message that is being sent is cancelled only if its attempt fails. `where` selects the
 * messages.
 */
export async function cancelMessages(
  { execute }: Pick<Statements, 'execute'>,
  now: number,
  where: string,
  params: unknown[],
): Promise<void> {
  await execute(
    `UPDATE channel_messages SET status = 'cancelled', ended_at = ? WHERE ${where} AND status = 'waiting'`,
    [now, ...params],
  );
  await execute(`UPDATE channel_messages SET is_cancelled = ? WHERE ${where} AND status = 'sending'`, [
    true,
    ...params,
  ]);
}
