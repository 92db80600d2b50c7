import { createHash } from 'node:crypto';
import type { Identities, Subject } from '../../../core/ports/store/people/identities.js';
import { writeUserAudit } from '../audit/insert-audit.js';
import type { Connection } from '../database/connection.js';
import { type Statements, statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { insertRows } from '../database/write-rows.js';
import { users } from '../tables/people.js';
import { prove } from './access.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hashOf = ({ issuer, subject }: Subject): string => sha256(JSON.stringify([issuer, subject]));

export function createIdentities(connection: Connection, transact: Transact): Identities {
  const lock = connection.dialect === 'mysql' ? ' FOR UPDATE' : '';

  /** Accepts the invitations of a user whose address is proven. */
  async function acceptAll(statements: Statements, userId: string, now: number): Promise<void> {
    const open = 'user_id = ? AND joined_at IS NULL AND disabled = 0';
    const rows = await statements.select(`SELECT id, workspace_id FROM members WHERE ${open}${lock}`, [
      userId,
    ]);
    for (const { id } of rows) {
      await statements.execute('UPDATE members SET joined_at = ? WHERE id = ?', [now, id]);
      await statements.execute('DELETE FROM links WHERE member_id = ?', [id]);
    }
    const accepted = rows.map((row) => row.workspace_id as string);
    await writeUserAudit(statements, userId, accepted);
  }

  return {
    async find(subject) {
      const [row] = await connection.read(
        'SELECT users.* FROM identities JOIN users ON users.id = identities.user_id WHERE identities.hash = ?',
        [hashOf(subject)],
      );
      if (!row) return null;
      const { emailHash: _, ...user } = users.decode(row);
      return user;
    },
    bind: ({ userId, password, now, ...subject }, signedIn) =>
      transact(async (transaction) => {
        const statements = statementsIn(connection, transaction);
        const [row] = await statements.select(`SELECT * FROM users WHERE id = ?${lock}`, [userId]);
        const user = row && users.decode(row);
        if (!user || user.disabled) return false;
        const [hash, issuerHash] = [hashOf(subject), sha256(subject.issuer)];
        const rows = await statements.select(
          `SELECT * FROM identities WHERE hash = ? OR (user_id = ? AND issuer_hash = ?)${lock}`,
          [hash, userId, issuerHash],
        );
        if (rows.some((row) => row.hash !== hash || row.user_id !== userId)) return false;
        if (user.provenAt === null && user.id === signedIn)
          await statements.execute('UPDATE users SET proven_at = ? WHERE id = ?', [now, userId]);
        else await prove(statements, user, now);
        if (rows.length === 0) {
          if (user.provenAt !== null && user.password !== password) return false;
          const row = { hash, user_id: userId, issuer_hash: issuerHash, created_at: now };
          await insertRows(statements, 'identities', [row]);
        }
        await acceptAll(statements, userId, now);
        return true;
      }),
  };
}
