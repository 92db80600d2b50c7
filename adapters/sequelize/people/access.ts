import type { UserRow } from '../../../core/ports/store/people/users.js';
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

/**
 * Stores the first proof of an address. Ends the access from before it, because a stranger could have set up the account
 * with a link that was shown. A user with an identity is proven, so there is none to delete.
 */
export async function prove(
  statements: Statements,
  { id, provenAt }: Pick<UserRow, 'id' | 'provenAt'>,
  now: number,
): Promise<void> {
  if (provenAt !== null) return;
  await endAccess(statements, id, null);
  await clearSecondFactor(statements, id);
  await statements.execute('UPDATE users SET proven_at = ?, password = NULL WHERE id = ?', [now, id]);
}
