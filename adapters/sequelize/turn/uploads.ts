import type { TurnUploads } from '../../../core/ports/store/agents/agent-turn.js';
import { openUploads } from '../rows/open-uploads.js';
import { uploadOf } from '../tables/uploads.js';
import type { TurnScope } from './scope.js';

export function turnUploads(scope: TurnScope): TurnUploads {
  const { agent, select, execute } = scope;
  const { uploads, discards } = scope.pending;
  return {
    async insert(rows) {
      const { id: agentId, workspaceId } = agent();
      for (const row of rows)
        uploads.insert(row.storagePath, { ...row, agentId, workspaceId, registeredAt: null, bytes: 0 });
    },
    async open() {
      await scope.write();
      return openUploads({ select }, scope.dialect, agent().workspaceId);
    },
    async find(path) {
      if (uploads.get(path) === undefined) {
        const rows = await select('SELECT * FROM uploads WHERE path = ? AND agent_id = ?', [
          path,
          agent().id,
        ]);
        uploads.cache(path, rows.map(uploadOf)[0] ?? null);
      }
      return uploads.get(path) ?? null;
    },
    async register(path, bytes, now) {
      // Write at once, because a sweep may delete an unregistered upload without locking the agent.
      await scope.write();
      const { changed } = await execute(
        'UPDATE uploads SET registered_at = ?, bytes = ? WHERE path = ? AND agent_id = ? AND registered_at IS NULL',
        [now, bytes, path, agent().id],
      );
      uploads.forget();
      return changed === 1;
    },
    async release(path) {
      uploads.remove(path);
    },
    async discard(paths, now) {
      for (const path of paths) discards.set(path, now);
    },
  };
}
