import type { TurnPictures } from '../../../core/ports/store/agents/pictures.js';
import type { Statements } from '../database/statements.js';
import { insertRows } from '../database/write-rows.js';
import { pictureOf, pictures } from '../tables/pictures.js';

/** `execute` counts as a write of the turn. */
export function turnPictures(
  statements: Pick<Statements, 'select' | 'execute' | 'executeOnce'>,
  { id: agentId, workspaceId }: { id: string; workspaceId: string },
): TurnPictures {
  const { select, execute } = statements;
  return {
    async find(hash) {
      const [row] = await select('SELECT * FROM pictures WHERE hash = ? AND agent_id = ?', [hash, agentId]);
      return row ? pictureOf(row) : null;
    },
    async count() {
      const [row] = await select('SELECT COUNT(*) AS n FROM pictures WHERE agent_id = ?', [agentId]);
      return Number(row?.n);
    },
    async add(picture) {
      const row = pictures.byColumn(pictures.encode({ ...picture, agentId, workspaceId }));
      await insertRows(statements, pictures.name, [row]);
    },
    async remove(hash) {
      await execute('DELETE FROM pictures WHERE hash = ? AND agent_id = ?', [hash, agentId]);
    },
  };
}
