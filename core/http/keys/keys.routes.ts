import { ApiError, invalidField } from '../../errors/api-error.js';
import { seconds } from '../../ports/clock.port.js';
import type { KeyCreator } from '../../ports/store/workspaces.js';
import { limits } from '../../schemas/limits.js';
import { deleted } from '../../schemas/shapes.js';
import { agentsProblem, expiryProblem } from '../../workspaces/key-rules.js';
import { newKey } from '../../workspaces/new-key.js';
import type { Caller } from '../auth/authenticate.js';
import { uuidIn } from '../pipeline/uuid-in.js';
import { created, ok, type Route, route } from '../route.js';
import { presentKey } from './keys.presenter.js';
import { createKeyBody, keyListSchema, keyWithSecret, listKeysQuery } from './keys.schema.js';

const keyIdOf = uuidIn('keyId');

function creatorOf({ key, member }: Caller): KeyCreator | null {
  if (member) return { type: 'user', id: member.id, name: member.name };
  return key && { type: 'key', id: key.id, name: key.name };
}

const inLowerCase = (ids: readonly string[]): string[] => ids.map((id) => id.toLowerCase());

const shared = { extension: true, scope: 'workspace', permission: 'keys.manage' } as const;

export const keyRoutes: Route[] = [
  route({
    ...shared,
    id: 'listKeys',
    method: 'GET',
    path: '/keys',
    summary: 'List the API keys of the workspace, newest first',
    description: `At most ${limits.keys.max}, expired ones included. Secrets are not shown.`,
    query: listKeysQuery,
    list: ({ caller }) => `keys/${caller.workspaceId}`,
    responses: { 200: keyListSchema },
    async handle({ caller, query, list }, { workspaces, cursors }) {
      const request = cursors.request(list, query);
      const { rows, total } = await workspaces.activeKeys(caller.workspaceId, request);
      return ok(cursors.page(list, request, rows, total, (row) => presentKey(row, caller.key?.id ?? null)));
    },
  }),
  route({
    ...shared,
    id: 'createKey',
    method: 'POST',
    path: '/keys',
    summary: 'Create an API key, limited by scope, agents and expiry',
    description:
      'Store the `secret` of the response, because Cadre stores only its hash. An `Idempotency-Key` is ignored, because a repetition could not return the secret. If you lost the response, delete the key and create another. A key that expires can only create keys that expire no later.',
    body: createKeyBody,
    problems: {
      agentIds: (ids, { reads }, { workspaceId }) => agentsProblem(reads, workspaceId, inLowerCase(ids)),
      expiresAt: (expiresAt, { clock }) => expiryProblem(expiresAt, seconds(clock.now())),
    },
    responses: { 201: keyWithSecret },
    async handle({ caller, body }, { workspaces, clock, log }) {
      const { workspaceId } = caller;
      const { name, scope, expiresAt = null } = body;
      const agentIds = body.agentIds ? inLowerCase(body.agentIds) : null;
      const end = caller.key?.expiresAt ?? null;
      if (end !== null && (expiresAt === null || expiresAt > end))
        throw invalidField('expiresAt', `must be at most ${end}, when the key of the request expires`);
      const createdAt = seconds(clock.now());
      const { key, secret } = newKey({
        workspaceId,
        name,
        scope,
        agentIds,
        expiresAt,
        createdAt,
        createdBy: creatorOf(caller),
      });
      if (!(await workspaces.addKey(key, limits.keys.max)))
        throw invalidField(
          'name',
          `would be one more than the ${limits.keys.max} keys of a workspace: delete a key first`,
        );
      log.info({ workspaceId, keyId: key.id, byKeyId: caller.key?.id }, 'API key created');
      return created({ ...presentKey({ ...key, lastUsedAt: null }, null), secret });
    },
  }),
  route({
    ...shared,
    id: 'deleteKey',
    method: 'DELETE',
    path: '/keys/:keyId',
    summary: 'Delete an API key',
    description:
      'Requests with it are refused within 5 seconds, and its streams end. The last key with the scope `full`, all agents and no expiry cannot be deleted (400).',
    params: keyIdOf,
    responses: { 200: deleted },
    refusals: ['RESOURCE_NOT_FOUND', 'VALIDATION_INVALID_BODY'],
    async handle({ caller, params }, { workspaces, clock, log }) {
      const { workspaceId } = caller;
      const keyId = keyIdOf(params);
      const outcome = await workspaces.revokeSpareKey(workspaceId, keyId, seconds(clock.now()));
      if (outcome === 'unknown') throw new ApiError('RESOURCE_NOT_FOUND');
      if (outcome === 'last')
        throw invalidField(
          'keyId',
          'is the last key with the scope full, all agents and no expiry: create another one first',
        );
      log.info({ workspaceId, keyId, byKeyId: caller.key?.id }, 'API key deleted');
      return ok({ deleted: true });
    },
  }),
];
