import type { TurnDraft } from '../../../core/ports/store/agents/drafts.js';
import type { Statements } from '../database/statements.js';
import { insertRows } from '../database/write-rows.js';
import { draftOf, drafts } from '../tables/drafts.js';

/** Needs the lock of the agent's row: one turn at a time writes the draft. */
export function turnDraft(statements: Statements, agentId: string): TurnDraft {
  const { select, execute } = statements;
  const remove = async (): Promise<void> => {
    await execute('DELETE FROM agent_drafts WHERE agent_id = ?', [agentId]);
  };
  return {
    async find() {
      const [row] = await select(`SELECT ${drafts.list()} FROM agent_drafts WHERE agent_id = ?`, [agentId]);
      return row ? draftOf(row) : null;
    },
    async keep(draft) {
      await remove();
      await insertRows(statements, drafts.name, [drafts.byColumn(drafts.encode({ ...draft, agentId }))]);
    },
    remove,
  };
}
