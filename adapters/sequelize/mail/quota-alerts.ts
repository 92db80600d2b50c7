import type { MailedAllowance, QuotaAlerts } from '../../../core/ports/store/quota-alerts.js';
import { rolesWith } from '../../../core/schemas/permissions.js';
import type { Connection } from '../database/connection.js';
import { withLists } from '../database/in-lists.js';
import { insertNew } from '../database/insert-new.js';
import { statementsIn } from '../database/statements.js';
import type { Transact } from '../database/transact.js';
import { bigint, integer, text, uuid } from '../tables/column.js';
import { mails } from '../tables/mails.js';
import { table } from '../tables/table.js';
import { workspaces } from '../tables/workspaces.js';
import { MAILED, mailedMembers } from './mailed-members.js';
import { waiting } from './mails.js';

const quotaAlerts = table('quota_alerts', {
  workspaceId: uuid,
  allowance: text<MailedAllowance>(),
  percent: integer,
  since: bigint,
});

export function createQuotaAlerts(connection: Connection, transact: Transact): QuotaAlerts {
  const read = (sql: string, params: unknown[]) => connection.read(...withLists(sql, params));
  const roles = rolesWith('mail.test');
  return {
    async usage(day, after, limit) {
      const rows = await read(
        `SELECT ${workspaces.list()},
            (SELECT COUNT(*) FROM members WHERE members.workspace_id = workspaces.id) AS used_members,
            (SELECT COALESCE(SUM(messages), 0) FROM visitor_counts
              WHERE visitor_counts.workspace_id = workspaces.id AND counted_on = ?) AS used_messages
          FROM workspaces WHERE workspaces.id > ? AND EXISTS (SELECT 1 FROM members
            JOIN users ON users.id = members.user_id WHERE members.workspace_id = workspaces.id AND ${MAILED})
          ORDER BY workspaces.id LIMIT ${limit}`,
        [day, after, roles],
      );
      const alerts = await read(`SELECT ${quotaAlerts.list()} FROM quota_alerts WHERE workspace_id IN (?)`, [
        rows.map(({ id }) => id),
      ]);
      return rows.map((row) => {
        const workspace = workspaces.decode(row);
        return {
          workspace,
          used: {
            agents: workspace.agents,
            storageBytes: workspace.storageBytes,
            members: Number(row.used_members),
            visitorMessages: Number(row.used_messages),
          },
          alerts: alerts
            .map((alert) => quotaAlerts.decode(alert))
            .filter(({ workspaceId }) => workspaceId === workspace.id),
        };
      });
    },
    admins: (workspaceId) =>
      mailedMembers(read, roles, 'members.workspace_id = ? AND members.limited_to_agents = 0', [workspaceId]),
    begin: (workspaceId, [highest, ...lower], added) =>
      transact(async (transaction) => {
        if (!highest) return;
        const statements = statementsIn(connection, transaction);
        const isOurs = (await insertNew(statements, quotaAlerts, [{ workspaceId, ...highest }])) === 1;
        if (!isOurs) return;
        await insertNew(
          statements,
          quotaAlerts,
          lower.map((alert) => ({ workspaceId, ...alert })),
        );
        await insertNew(statements, mails, added.map(waiting));
      }),
    end: (workspaceId, allowance, before) =>
      transact(async (transaction) => {
        await statementsIn(connection, transaction).execute(
          'DELETE FROM quota_alerts WHERE workspace_id = ? AND allowance = ? AND since < ?',
          [workspaceId, allowance, before],
        );
      }),
  };
}
