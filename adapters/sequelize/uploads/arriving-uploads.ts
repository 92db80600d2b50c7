import type { ArrivingUploads } from '../../../core/ports/store/sweeps.js';
import type { Connection } from '../database/connection.js';
import { type Statements, statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { lockWorkspace } from '../rows/lock-workspace.js';
import { openUploads } from '../rows/open-uploads.js';

interface OpenUpload {
  held: number;
  arriving: number;
}

/** Uploads in progress. The workspace's row is the lock, so processes count them one at a time. */
export function createArrivingUploads(connection: Connection, transact: Transact): ArrivingUploads {
  const workspaceOf = async (path: string): Promise<string | null> => {
    const [row] = await connection.read('SELECT workspace_id FROM uploads WHERE path = ?', [path]);
    return (row?.workspace_id as string | undefined) ?? null;
  };

  /** Runs `work` on the upload if it can still be registered; else returns `otherwise`. */
  async function onOpen<T>(
    path: string,
    otherwise: T,
    work: (statements: Statements, upload: OpenUpload, workspaceId: string) => Promise<T>,
  ): Promise<T> {
    const workspaceId = await workspaceOf(path);
    if (workspaceId === null) return otherwise;
    return transact(async (transaction) => {
      const statements = statementsIn(connection, transaction);
      // Before any other read: on MySQL, the first read determines the snapshot of later ones.
      await lockWorkspace(statements, workspaceId);
      const [row] = await statements.select(
        `SELECT uploads.held_bytes AS held, uploads.arriving_bytes AS arriving FROM uploads JOIN agents ON agents.id = uploads.agent_id
          WHERE uploads.path = ? AND uploads.registered_at IS NULL`,
        [path],
      );
      if (!row) return otherwise;
      return work(statements, { held: Number(row.held), arriving: Number(row.arriving) }, workspaceId);
    }, workspaceId);
  }

  return {
    begin: (path, bytes, mostBytes) =>
      onOpen(path, 'closed', async (statements, upload, workspaceId) => {
        const open = await openUploads(statements, connection.dialect, workspaceId);
        if (open.bytes + bytes > mostBytes) return 'full';
        await statements.execute('UPDATE uploads SET arriving_bytes = ? WHERE path = ?', [
          upload.arriving + bytes,
          path,
        ]);
        return 'accepted';
      }),
    end: (path, bytes, stored) =>
      onOpen(path, false, async (statements, { held, arriving }) => {
        // Two concurrent uploads may end in either order: count the larger one.
        await statements.execute('UPDATE uploads SET arriving_bytes = ?, held_bytes = ? WHERE path = ?', [
          Math.max(0, arriving - bytes),
          Math.max(held, stored ?? 0),
          path,
        ]);
        return true;
      }),
  };
}
