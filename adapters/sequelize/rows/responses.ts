import { KeyTaken } from '../../../core/ports/store/store-errors.js';
import type { StoredResponse, TurnResponses } from '../../../core/ports/store/stored-responses.js';
import { isDuplicate } from '../database/errors.js';
import type { Row } from '../database/statement.js';
import type { Statements } from '../database/statements.js';

export const findResponse =
  'SELECT key_hash, fingerprint, answer, created_at FROM chat_keys WHERE agent_id = ? AND key_hash = ?';

export const storedOf = (row: Row): StoredResponse => ({
  keyHash: row.key_hash as string,
  fingerprint: row.fingerprint as string,
  response: row.answer === null ? null : JSON.parse(row.answer as string),
  createdAt: Number(row.created_at),
});

/** Reads and stores the responses to idempotent requests, in the transaction of their writes. */
export const turnResponses = (
  { select, execute }: Pick<Statements, 'select' | 'execute'>,
  ownerId: string,
): TurnResponses => ({
  async find(keyHash) {
    const [row] = await select(findResponse, [ownerId, keyHash]);
    return row ? storedOf(row) : null;
  },
  async keep({ keyHash, fingerprint, response, createdAt }) {
    try {
      await execute(
        `INSERT INTO chat_keys (agent_id, key_hash, fingerprint, conversation_id, user_message_id, message_id, created_at, answer)
          VALUES (?, ?, ?, '', 0, 0, ?, ?)`,
        [ownerId, keyHash, fingerprint, createdAt, response && JSON.stringify(response)],
      );
    } catch (error) {
      throw isDuplicate(error) ? new KeyTaken() : error;
    }
  },
});
