import { REMAINS_PAUSES_S, type Remains } from '../../../core/ports/store/sweeps.js';
import type { Connection } from '../database/connection.js';
import { type Statements, statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { clearPiece } from '../rows/remove-agent.js';

/** Deletes the rows of deleted agents in batches. */
export function createRemains(connection: Connection, transact: Transact): Remains {
  const { dialect, read } = connection;
  const lock = dialect === 'mysql' ? ' FOR UPDATE' : '';
  return {
    async list(now, limit) {
      const rows = await read(
        `SELECT agent_id, workspace_id FROM remains WHERE due_at <= ? ORDER BY due_at, agent_id LIMIT ${limit}`,
        [now],
      );
      return rows.map((row) => ({
        agentId: row.agent_id as string,
        workspaceId: row.workspace_id as string,
      }));
    },
    // In the service's own queue: a workspace that writes much must not delay the release of its storage.
    clear: ({ agentId, workspaceId }, now) =>
      transact(async (transaction) => {
        const statements = statementsIn(connection, transaction);
        // Serialises two processes that clear the same agent.
        const sql = `SELECT passes FROM remains WHERE agent_id = ?${lock}`;
        const [found] = await statements.select(sql, [agentId]);
        if (!found) return 0;
        const { rows, bytes, more } = await clearPiece(statements, agentId, now);
        if (!more) await scheduleNextPass(statements, agentId, Number(found.passes), now);
        if (bytes > 0)
          await statements.execute('UPDATE workspaces SET storage_bytes = storage_bytes - ? WHERE id = ?', [
            bytes,
            workspaceId,
          ]);
        return rows;
      }),
  };
}

/** Schedules the next pass once a pass has found no rows, or ends the deletion. */
async function scheduleNextPass(
  { execute }: Statements,
  agentId: string,
  passes: number,
  now: number,
): Promise<void> {
  const { [passes]: pause } = REMAINS_PAUSES_S;
  if (pause === undefined) await execute('DELETE FROM remains WHERE agent_id = ?', [agentId]);
  else
    await execute('UPDATE remains SET due_at = ?, passes = ? WHERE agent_id = ?', [
      now + pause,
      passes + 1,
      agentId,
    ]);
}
