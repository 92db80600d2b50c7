import type { FailureRow, TurnFailures } from '../../../core/ports/store/agents/failures.js';
import { limits } from '../../../core/schemas/limits.js';
import type { Statements } from '../database/statements.js';
import { insertRows } from '../database/write-rows.js';
import { failureColumns, failureOf, failures, targetHash } from '../tables/failures.js';
import type { TurnScope } from './scope.js';

/** The targets whose failures a turn has changed, by hash: their new failure, or null. */
export type ChangedFailures = ReadonlyMap<string, FailureRow | null>;

type Write = Pick<Statements, 'select' | 'execute' | 'executeOnce'>;

/** `note` remembers changes, which the turn writes at its end. */
export const turnFailures = (
  { select, execute }: TurnScope,
  agentId: string,
  note: (hash: string, failure: FailureRow | null) => void,
): TurnFailures => ({
  async find(id) {
    const [row] = await select(`SELECT ${failures.list()} FROM failures WHERE agent_id = ? AND id = ?`, [
      agentId,
      id,
    ]);
    return row ? failureOf(row) : null;
  },
  record(failure) {
    const { url, name } = failure;
    note(targetHash(url === null ? { type: 'file', name } : { type: 'url', url }), failure);
  },
  clear: (target) => note(targetHash(target), null),
  async remove(id) {
    await execute('DELETE FROM failures WHERE agent_id = ? AND id = ?', [agentId, id]);
  },
});

export async function writeFailures(
  statements: Write,
  agentId: string,
  changed: ChangedFailures,
): Promise<void> {
  if (changed.size === 0) return;
  const { select, execute } = statements;
  await execute('DELETE FROM failures WHERE agent_id = ? AND target_hash IN (?)', [
    agentId,
    [...changed.keys()],
  ]);
  const recorded = [...changed.values()].filter((failure) => failure !== null);
  if (recorded.length === 0) return;
  await insertRows(
    statements,
    failures.name,
    recorded.map((failure) => failureColumns(agentId, failure)),
  );
  const sql = `SELECT id FROM failures WHERE agent_id = ? ORDER BY id DESC LIMIT 1 OFFSET ${limits.failures}`;
  const [first] = await select(sql, [agentId]);
  if (first) await execute('DELETE FROM failures WHERE agent_id = ? AND id <= ?', [agentId, first.id]);
}
