import type { AuditFilter, AuditLog } from '../../../core/ports/store/audit.js';
import { MOST_COUNTED } from '../../../core/ports/store/pages.js';
import type { Connection } from '../database/connection.js';
import { seek } from '../database/seek.js';
import { statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { auditRowOf } from '../tables/audit.js';

/** Maximum rows that one sweep deletes. */
const SWEPT = 500;

/** Returns the least id of a row of this second: ids begin with their time in milliseconds. */
function firstIdOf(at: number): string {
  const hex = Math.max(0, at * 1000)
    .toString(16)
    .padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** Returns the index and the conditions of a list. Every filter by time is a range of ids. */
function conditionsOf(workspaceId: string, filter: AuditFilter, before: string | null) {
  const { actor, action, agentId, from, to } = filter;
  const conditions: [sql: string, value: string | null][] = [
    ['actor_id = ?', actor],
    ['action = ?', action],
    ['agent_id = ?', agentId],
    ['id >= ?', from === null ? null : firstIdOf(from)],
    ['id < ?', to === null ? null : firstIdOf(to + 1)],
    ['id < ?', before],
  ];
  const used = conditions.filter(([, value]) => value !== null);
  const index =
    actor !== null
      ? 'audit_actor'
      : agentId !== null
        ? 'audit_agent'
        : action !== null
          ? 'audit_action'
          : 'audit_list';
  return {
    index,
    where: ['workspace_id = ?', ...used.map(([sql]) => sql)].join(' AND '),
    params: [workspaceId, ...used.map(([, value]) => value)],
  };
}

export function createAuditLog(connection: Connection, transact: Transact): AuditLog {
  const { read, dialect } = connection;
  return {
    async page(workspaceId, { limit, before }, filter) {
      const { index, where, params } = conditionsOf(workspaceId, filter, before);
      const rows = await read(
        `SELECT * FROM audit${seek(connection, index)} WHERE ${where} ORDER BY id DESC LIMIT ${limit + 1}`,
        params,
      );
      return rows.map(auditRowOf);
    },
    async count(workspaceId, filter) {
      const { index, where, params } = conditionsOf(workspaceId, filter, null);
      const [row] = await read(
        `SELECT COUNT(*) AS n FROM (SELECT 1 FROM audit${seek(connection, index)} WHERE ${where} LIMIT ${MOST_COUNTED}) counted`,
        params,
      );
      return Number(row?.n ?? 0);
    },
    forget: (before) =>
      transact(async (transaction) => {
        const oldest = `at < ? ORDER BY at LIMIT ${SWEPT}`;
        const sql =
          dialect === 'mysql'
            ? `DELETE FROM audit WHERE ${oldest}`
            : `DELETE FROM audit WHERE rowid IN (SELECT rowid FROM audit WHERE ${oldest})`;
        const { changed } = await statementsIn(connection, transaction).execute(sql, [before]);
        return changed === SWEPT;
      }),
  };
}
