import type { TurnCopies } from '../../../core/ports/store/agents/copies.js';
import { insertRows } from '../database/write-rows.js';
import { insertJob } from '../rows/insert-job.js';
import { copies } from '../tables/copies.js';
import type { TurnScope } from './scope.js';

/** `noteAgent` counts a new agent of the workspace, whose row is locked. */
export function turnCopies(scope: TurnScope, noteAgent: () => void): TurnCopies {
  const { agent, select, execute } = scope;
  return {
    async size() {
      await scope.write();
      const [documents, pictures] = await Promise.all([
        select(
          'SELECT COUNT(*) AS n, COALESCE(SUM(bytes), 0) AS bytes, MAX(id) AS last FROM documents WHERE agent_id = ?',
          [agent().id],
        ),
        select('SELECT COALESCE(SUM(bytes), 0) AS bytes FROM pictures WHERE agent_id = ?', [agent().id]),
      ]);
      return {
        documents: Number(documents[0]?.n),
        bytes: Number(documents[0]?.bytes),
        lastDocumentId: (documents[0]?.last ?? null) as string | null,
        pictureBytes: Number(pictures[0]?.bytes),
      };
    },
    async begin(copy, added) {
      const { workspaceId } = agent();
      const job = await insertJob(scope, { id: copy.agentId, workspaceId }, added);
      const row = copies.encode({
        ...copy,
        workspaceId,
        jobId: job.id,
        status: 'running',
        copiedUpTo: null,
        copied: 0,
        tries: 0,
        leaseToken: null,
        leaseUntilMs: 0,
      });
      await insertRows(scope, copies.name, [copies.byColumn(row)]);
      await execute('UPDATE workspaces SET agents = agents + 1 WHERE id = ?', [workspaceId]);
      noteAgent();
      return job;
    },
  };
}
