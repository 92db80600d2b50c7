import type { SecondFactors } from '../../../core/ports/store/people/second-factors.js';
import { writeUserAudit } from '../audit/insert-audit.js';
import type { Connection } from '../database/connection.js';
import { type Statements, statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { insertRows } from '../database/write-rows.js';
import { clearSecondFactor, endAccess } from './access.js';

export function createSecondFactors(connection: Connection, transact: Transact): SecondFactors {
  const inTransaction = <T>(work: (statements: Statements) => Promise<T>): Promise<T> =>
    transact((transaction) => work(statementsIn(connection, transaction)));

  return {
    offer: (userId, sealed) =>
      inTransaction(async ({ execute }) => {
        const sql = 'UPDATE users SET offered_totp = ? WHERE id = ? AND totp IS NULL';
        return (await execute(sql, [sealed, userId])).changed > 0;
      }),
    enrol: (userId, offered, step, recoveryHashes, keepSessionId) =>
      inTransaction(async (statements) => {
        const sql = `UPDATE users SET totp = ?, totp_step = ?, offered_totp = NULL
          WHERE id = ? AND offered_totp = ? AND totp IS NULL`;
        const { changed } = await statements.execute(sql, [offered, step, userId, offered]);
        if (changed === 0) return false;
        await statements.execute('DELETE FROM recovery_codes WHERE user_id = ?', [userId]);
        await insertRows(
          statements,
          'recovery_codes',
          recoveryHashes.map((hash) => ({ user_id: userId, hash })),
        );
        await endAccess(statements, userId, keepSessionId);
        await writeUserAudit(statements, userId);
        return true;
      }),
    use: (userId, sealed, code) =>
      inTransaction(async ({ execute }) => {
        const { changed } =
          'step' in code
            ? await execute(
                'UPDATE users SET totp_step = ? WHERE id = ? AND totp = ? AND (totp_step IS NULL OR totp_step < ?)',
                [code.step, userId, sealed, code.step],
              )
            : await execute('DELETE FROM recovery_codes WHERE user_id = ? AND hash = ?', [
                userId,
                code.recoveryHash,
              ]);
        return changed > 0;
      }),
    remove: (userId, keepSessionId) =>
      inTransaction(async (statements) => {
        await clearSecondFactor(statements, userId);
        await endAccess(statements, userId, keepSessionId);
        await writeUserAudit(statements, userId);
      }),
  };
}
