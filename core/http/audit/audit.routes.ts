import type { AuditFilter } from '../../ports/store/audit.js';
import { MOST_COUNTED } from '../../ports/store/pages.js';
import { ok, type Route, route } from '../route.js';
import { auditListSchema, auditQuery } from './audit.schema.js';

const lower = (id: string | undefined): string | null => id?.toLowerCase() ?? null;

export const auditRoutes: Route[] = [
  route({
    id: 'listAuditLog',
    method: 'GET',
    path: '/audit',
    extension: true,
    scope: 'workspace',
    permission: 'audit.view',
    summary: 'List the changes of the workspace, newest first',
    description: `Every successful change by a member or an API key has one row, written in its transaction. \`total\` stops at ${MOST_COUNTED}. With \`accept: application/x-ndjson\`, the same rows are lines.`,
    query: auditQuery,
    list: ({ caller, query }) =>
      ['audit', caller.workspaceId, query.actor, query.action, query.agentId, query.from, query.to].join('/'),
    lines: true,
    responses: { 200: auditListSchema },
    async handle({ caller: { workspaceId }, query, list }, { audit, cursors }) {
      const request = cursors.request(list, query);
      const filter: AuditFilter = {
        actor: lower(query.actor),
        action: query.action ?? null,
        agentId: lower(query.agentId),
        from: query.from ?? null,
        to: query.to ?? null,
      };
      const [rows, total] = await Promise.all([
        audit.page(workspaceId, request, filter),
        audit.count(workspaceId, filter),
      ]);
      return ok(cursors.page(list, request, rows, total, ({ workspaceId: _, ...row }) => row));
    },
  }),
];
