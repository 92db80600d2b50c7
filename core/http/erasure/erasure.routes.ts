import type { Static } from '@sinclair/typebox';
import { ApiError, existing, invalidField } from '../../errors/api-error.js';
import { type ErasureRow, erasureCounters, type PersonKind } from '../../ports/store/erasures.js';
import type { Caller } from '../auth/authenticate.js';
import { uuidIn } from '../pipeline/uuid-in.js';
import { accepted, ok, type Route, route } from '../route.js';
import type { Services } from '../services.js';
import { erasureSchema, personBody } from './erasure.schema.js';

/** Agents per read. */
const PIECE = 100;

const erasureIdOf = uuidIn('erasureId');

const presentErasure = ({ id, status, counts, sources }: ErasureRow) => ({
  id,
  status,
  counts: Object.fromEntries(erasureCounters.map((name) => [name, counts[name] ?? 0])),
  sources,
});

/** Returns the person. Throws 400 unless there is exactly one of both fields. */
function personIn({ userId, email }: Static<typeof personBody>): { kind: PersonKind; person: string } {
  if (userId !== undefined && email === undefined) return { kind: 'userId', person: userId };
  if (email !== undefined && userId === undefined) return { kind: 'email', person: email };
  throw invalidField('userId', 'or email is required, and only one of them');
}

/** Returns the ids of the agents. Throws 400 unless there is exactly one of both fields, and 403 or 404 for other agents. */
async function agentsIn(
  { agentId, all }: Static<typeof personBody>,
  { workspaceId, agentIds }: Caller,
  { reads }: Services,
): Promise<string[]> {
  if ((agentId !== undefined) === (all === true))
    throw invalidField('agentId', 'or all: true is required, and only one of them');
  if (agentId !== undefined) {
    const id = agentId.toLowerCase();
    if (agentIds !== null && !agentIds.has(id)) throw new ApiError('AGENT_NOT_FOUND');
    return [existing(await reads.agent(workspaceId, id), 'AGENT_NOT_FOUND').id];
  }
  if (agentIds !== null)
    throw new ApiError('AUTH_INSUFFICIENT_PERMISSIONS', {
      message: 'all is not available to keys and members that are limited to agents. Use agentId.',
    });
  const ids: string[] = [];
  for (let before: string | null = null; ; ) {
    const rows = await reads.agents(workspaceId, { limit: PIECE, before });
    ids.push(...rows.slice(0, PIECE).map(({ id }) => id));
    if (rows.length <= PIECE) return ids;
    before = ids.at(-1) ?? null;
  }
}

const extension = { extension: true, scope: 'workspace', permission: 'visitors.erase' } as const;
const refusals = ['AGENT_NOT_FOUND', 'VALIDATION_INVALID_BODY'] as const;

export const personRoutes: Route[] = [
  route({
    ...extension,
    id: 'eraseVisitor',
    method: 'POST',
    path: '/visitors/erase',
    summary: 'Delete all data of a person',
    description:
      'Deletes conversations, contact details and what refers to them, with a row of the audit log that names the person by an HMAC. `getErasure` shows the progress. `userId` also closes the tokens of the visitor; `email` concerns contact details only, because addresses are not verified. An unknown person is no error. Sources and evaluation questions made from questions of the person stay: `sources` lists them.',
    body: personBody,
    idempotent: 'afterwards',
    responses: { 202: erasureSchema },
    refusals,
    async handle({ caller, body }, services) {
      const { erasing, erasures } = services;
      const { workspaceId } = caller;
      const agentIds = await agentsIn(body, caller, services);
      const id = await erasing.request({ workspaceId, ...personIn(body), agentIds });
      return accepted(presentErasure(existing(await erasures.find(workspaceId, id), 'RESOURCE_NOT_FOUND')));
    },
  }),
  route({
    ...extension,
    id: 'exportVisitor',
    method: 'POST',
    path: '/visitors/export',
    summary: 'Read all data of a person as NDJSON',
    description:
      'One line for each conversation, message and contact, with `type`. The audit log gets a row that names the person by an HMAC.',
    body: personBody,
    lines: true,
    responses: {},
    refusals,
    async handle({ caller, body, reserve }, services) {
      const { erasures, personHash } = services;
      const { workspaceId } = caller;
      const { kind, person } = personIn(body);
      const lines: object[] = [];
      let bytes = 0;
      for (const agentId of await agentsIn(body, caller, services)) {
        const rows = await erasures.rowsOf({ agentId, workspaceId, kind, person });
        lines.push(...rows);
        bytes += Buffer.byteLength(JSON.stringify(rows));
        reserve(bytes);
      }
      await erasures.auditExport(personHash(kind, person));
      return { status: 200, lines, next: null };
    },
  }),
];

export const erasureRoutes: Route[] = [
  route({
    ...extension,
    id: 'getErasure',
    method: 'GET',
    path: '/erasures/:erasureId',
    summary: 'Read the progress of an erasure',
    description: 'Erasures are kept for 400 days. They do not name the person.',
    params: erasureIdOf,
    responses: { 200: erasureSchema },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ caller: { workspaceId, agentIds }, params }, { erasures }) {
      const found = existing(await erasures.find(workspaceId, erasureIdOf(params)), 'RESOURCE_NOT_FOUND');
      if (agentIds !== null && !found.agentIds.every((id) => agentIds.has(id)))
        throw new ApiError('RESOURCE_NOT_FOUND');
      return ok(presentErasure(found));
    },
  }),
];
