import type { StoredResponses } from '../../../core/ports/store/stored-responses.js';
import type { Connection } from '../database/connection.js';
import { readOnDisk } from '../database/read-on-disk.js';
import { statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { findResponse, storedOf, turnResponses } from '../rows/responses.js';

export function createStoredResponses(connection: Connection, transact: Transact): StoredResponses {
  return {
    async find(ownerId, keyHash) {
      const [row] = await readOnDisk(connection, findResponse, [ownerId, keyHash]);
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
