import { auditRow } from '../../../core/audit/audit-row.js';
import { currentChange } from '../../../core/audit/change.js';
import type { AuditRow, ChangeOutcome } from '../../../core/ports/store/audit.js';
import type { Statements } from '../database/statements.js';
import { insertRows } from '../database/write-rows.js';
import { auditColumns } from '../tables/audit.js';

type Write = Pick<Statements, 'execute' | 'executeOnce'>;

export async function insertAudit(write: Write, rows: readonly AuditRow[]): Promise<void> {
  if (rows.length > 0) await insertRows(write, 'audit', rows.map(auditColumns));
}

/**
 * Writes the row of a change in its transaction, once it is clear that the change has an effect. Writes nothing outside of
 * audited requests. `workspaceId`: if it is not that of the change.
 */
export async function writeAudit(
  write: Write,
  outcome: ChangeOutcome,
  workspaceId: string | null = null,
): Promise<void> {
  const change = currentChange();
  const row = change && auditRow({ ...change, workspaceId: workspaceId ?? change.workspaceId }, outcome);
  if (row) await insertAudit(write, [row]);
}

/**
 * Writes the row of what a user does with the own account, in these workspaces, or in all, as far as the user is an active
 * member there. The user is the target and, except for changes of the operator, the actor.
 */
export async function writeUserAudit(
  statements: Pick<Statements, 'select' | 'execute' | 'executeOnce'>,
  userId: string,
  workspaceIds: readonly string[] | null = null,
): Promise<void> {
  const change = currentChange();
  if (!change || workspaceIds?.length === 0) return;
  const rows = await statements.select(
    `SELECT members.id, members.workspace_id, users.name FROM members JOIN users ON users.id = members.user_id
      WHERE members.user_id = ? AND members.joined_at IS NOT NULL AND members.disabled = 0 ORDER BY members.id`,
    [userId],
  );
  const found = rows
    .filter((row) => workspaceIds === null || workspaceIds.includes(row.workspace_id as string))
    .map((row) => {
      const [id, label] = [row.id as string, row.name as string];
      const actor = change.actor.type === 'user' ? ({ type: 'user', id, label } as const) : change.actor;
      const target = { type: 'member', id, label };
      return auditRow({ ...change, workspaceId: row.workspace_id as string, actor }, { target });
    });
  await insertAudit(
    statements,
    found.filter((row) => row !== null),
  );
}
