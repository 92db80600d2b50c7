import type { TurnUploads } from '../../core/ports/store/agent-turn.js';
import { openUploads } from './arriving-uploads.js';
import { discard } from './discard.js';
import { uploadOf } from './tables/uploads.js';
import type { TurnScope } from './turn-scope.js';

export function turnUploads({ models, transaction, agent, select, execute }: TurnScope): TurnUploads {
  return {
    async insert(rows) {
      const { id: agentId, workspaceId } = agent();
      await models.uploads.bulkCreate(
        rows.map((row) => ({ ...row, agentId, workspaceId, registeredAt: null, bytes: 0 })),
        { transaction },
      );
    },
    open: () => openUploads({ select }, agent().workspaceId),
    async find(path) {
      const [row] = await select('SELECT * FROM uploads WHERE path = ? AND agent_id = ?', [path, agent().id]);
      return row ? uploadOf(row) : null;
    },
    async register(path, bytes, now) {
      const [written] = await models.uploads.update(
        { registeredAt: now, bytes },
        { where: { path, agentId: agent().id, registeredAt: null }, transaction },
      );
      return written === 1;
    },
    async release(path) {
      await execute('DELETE FROM uploads WHERE path = ?', [path]);
    },
    async discard(paths, now) {
      await discard(models, transaction, paths, now);
    },
  };
}
