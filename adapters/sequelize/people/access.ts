import type { Statements } from '../database/statements.js';

/** Ends everything with which a browser could act for the user, except one session. */
export async function endAccess(
  { execute }: Statements,
  userId: string,
  keepSessionId: string | null,
): Promise<void> {
  await execute('DELETE FROM sessions WHERE user_id = ? AND id <> ?', [userId, keepSessionId ?? '']);
  await execute('DELETE FROM devices WHERE user_id = ?', [userId]);
  await execute("DELETE FROM links WHERE user_id = ? AND purpose = 'reset'", [userId]);
}

/** Deletes the second factor of a user. */
export async function clearSecondFactor({ execute }: Statements, userId: string): Promise<void> {
  await execute('UPDATE users SET totp = NULL, offered_totp = NULL, totp_step = NULL WHERE id = ?', [userId]);
  await execute('DELETE FROM recovery_codes WHERE user_id = ?', [userId]);
}
