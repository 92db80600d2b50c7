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
 * audited requests.
 */
export async function writeAudit(write: Write, outcome: ChangeOutcome): Promise<void> {
  const change = currentChange();
  const row = change && auditRow(change, outcome);
  if (row) await insertAudit(write, [row]);
}
