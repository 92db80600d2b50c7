import type { KeptAnswer, KeptAnswers, TurnAnswers } from '../../../core/ports/store/kept-answers.js';
import { KeyTaken } from '../../../core/ports/store/store-errors.js';
import type { Connection, Row } from '../database/connection.js';
import { isDuplicate } from '../database/errors.js';
import { readOnDisk } from '../database/read-on-disk.js';
import { type Statements, statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';

const find =
  'SELECT key_hash, fingerprint, answer, created_at FROM chat_keys WHERE agent_id = ? AND key_hash = ?';

const answerOf = (row: Row): KeptAnswer => ({
  keyHash: row.key_hash as string,
  fingerprint: row.fingerprint as string,
  answer: row.answer === null ? null : JSON.parse(row.answer as string),
  createdAt: Number(row.created_at),
});

/** Reads and stores the answers of idempotent requests, in the transaction of their writes. */
export const turnAnswers = (
  { select, execute }: Pick<Statements, 'select' | 'execute'>,
  ownerId: string,
): TurnAnswers => ({
  async find(keyHash) {
    const [row] = await select(find, [ownerId, keyHash]);
    return row ? answerOf(row) : null;
  },
  async keep({ keyHash, fingerprint, answer, createdAt }) {
    try {
      await execute(
        `INSERT INTO chat_keys (agent_id, key_hash, fingerprint, conversation_id, user_message_id, message_id, created_at, answer)
          VALUES (?, ?, ?, '', 0, 0, ?, ?)`,
        [ownerId, keyHash, fingerprint, createdAt, answer && JSON.stringify(answer)],
      );
    } catch (error) {
      throw isDuplicate(error) ? new KeyTaken() : error;
    }
  },
});

export function createKeptAnswers(connection: Connection, transact: Transact): KeptAnswers {
  return {
    async find(ownerId, keyHash) {
      const [row] = await readOnDisk(connection, find, [ownerId, keyHash]);
      return row ? answerOf(row) : null;
    },
    keep: (ownerId, answer) =>
      transact((transaction) => turnAnswers(statementsIn(connection, transaction), ownerId).keep(answer)),
    forget: (ownerId, keyHash, before) =>
      transact(async (transaction) => {
        await statementsIn(connection, transaction).execute(
          'DELETE FROM chat_keys WHERE agent_id = ? AND key_hash = ? AND created_at < ?',
          [ownerId, keyHash, before],
        );
      }),
  };
}
