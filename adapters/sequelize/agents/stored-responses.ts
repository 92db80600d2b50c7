import { KeyTaken } from '../../../core/ports/store/store-errors.js';
import type {
  StoredResponse,
  StoredResponses,
  TurnResponses,
} from '../../../core/ports/store/stored-responses.js';
import type { Connection, Row } from '../database/connection.js';
import { isDuplicate } from '../database/errors.js';
import { readOnDisk } from '../database/read-on-disk.js';
import { type Statements, statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';

const find =
  'SELECT key_hash, fingerprint, answer, created_at FROM chat_keys WHERE agent_id = ? AND key_hash = ?';

const storedOf = (row: Row): StoredResponse => ({
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
    const [row] = await select(find, [ownerId, keyHash]);
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

export function createStoredResponses(connection: Connection, transact: Transact): StoredResponses {
  return {
    async find(ownerId, keyHash) {
      const [row] = await readOnDisk(connection, find, [ownerId, keyHash]);
      return row ? storedOf(row) : null;
    },
    keep: (ownerId, response) =>
      transact(async (transaction) => {
        const statements = statementsIn(connection, transaction);
        const owners = await statements.select(
          'SELECT id FROM agents WHERE id = ? UNION ALL SELECT id FROM workspaces WHERE id = ?',
          [ownerId, ownerId],
        );
        // A deleted agent keeps no responses.
        if (owners.length > 0) await turnResponses(statements, ownerId).keep(response);
      }),
    forget: (ownerId, keyHash, before) =>
      transact(async (transaction) => {
        await statementsIn(connection, transaction).execute(
          'DELETE FROM chat_keys WHERE agent_id = ? AND key_hash = ? AND created_at < ?',
          [ownerId, keyHash, before],
        );
      }),
  };
}
