import { randomUUID } from 'node:crypto';
import type { Transaction } from 'sequelize';
import type { UnstoredTurn } from '../../../core/ports/store/conversations/conversations.js';
import type { Connection } from '../database/connection.js';
import { statementsIn } from '../database/statements.js';
import { turnCounters } from './turn-counters.js';

/** Runs a turn that only changes counters. */
export async function unstoredTurn<T>(
  connection: Connection,
  transaction: Transaction,
  { agentId, workspaceId }: { agentId: string; workspaceId: string },
  work: (turn: UnstoredTurn) => Promise<T>,
): Promise<T> {
  const statements = statementsIn(connection, transaction);
  const { dialect, select } = statements;
  const writes: Promise<unknown>[] = [];
  // The random id selects a shard of the counters.
  const conversation = { id: randomUUID(), agentId, workspaceId, source: 'api' } as const;
  const { write, charge, spoken, writeSpoken } = turnCounters({
    dialect,
    select,
    defer(sql, params) {
      const written = statements.execute(sql, params);
      // Awaited below.
      written.catch(() => {});
      writes.push(written);
    },
    conversation: () => conversation,
  });
  try {
    const result = await work({
      charge,
      spoken,
      writeSpoken,
      agentExists: async () => (await select('SELECT id FROM agents WHERE id = ?', [agentId])).length > 0,
    });
    write();
    await Promise.all(writes);
    return result;
  } finally {
    statements.end();
  }
}
