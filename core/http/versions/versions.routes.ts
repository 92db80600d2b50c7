import { settingsGroups } from '../../agent-settings/groups.js';
import { mergeSettings } from '../../agent-settings/merge-settings.js';
import { ApiError, existing } from '../../errors/api-error.js';
import type { JsonObject } from '../../schemas/json.js';
import { limits } from '../../schemas/limits.js';
import type { Entitlements } from '../../workspaces/entitlements.js';
import { responseOf } from '../pipeline/respond-once.js';
import { ok, type Route, route } from '../route.js';
import { validInput } from '../validation/validate.js';
import { presentListed, presentVersion } from './versions.presenter.js';
import { deletedVersion, listVersionsQuery, versionListSchema, versionSchema } from './versions.schema.js';

const NUMBER = /^[1-9][0-9]{0,8}$/;

/** Throws the same 404 for a malformed number as for an unknown one. */
function numberOf({ number = '' }: Record<string, string>): number {
  if (!NUMBER.test(number)) throw new ApiError('RESOURCE_NOT_FOUND');
  return Number(number);
}

/** Returns stored settings as a change would store them today. Throws 400, or 403 if the plan does not allow them. */
function underRulesOfToday(stored: JsonObject, entitlements: Entitlements): JsonObject {
  let settings: JsonObject = {};
  for (const group of settingsGroups) {
    const sent = group.toBody(stored);
    if (Object.keys(sent).length === 0) continue;
    const body = validInput(group.body, sent) as JsonObject;
    const refusal = group.refusal(body, entitlements);
    if (refusal) throw new ApiError(refusal);
    settings = mergeSettings(settings, group.toPatch(body, entitlements));
  }
  return settings;
}

const all = { path: '/agents/:agentId/versions', extension: true, scope: 'agent' } as const;
const one = { ...all, path: '/agents/:agentId/versions/:number', params: numberOf } as const;

export const versionRoutes: Route[] = [
  route({
    ...all,
    id: 'listVersions',
    method: 'GET',
    permission: 'view',
    summary: 'List the versions of the settings of an agent, newest first',
    description: `Every change of the settings adds a version. An agent keeps ${limits.versions.most} versions of at most ${limits.versions.bytes / 1_048_576} MiB together; the oldest are deleted first. Texts are cut; \`getVersion\` returns them whole.`,
    query: listVersionsQuery,
    list: ({ agent }) => `versions/${agent.id}`,
    responses: { 200: versionListSchema },
    async handle({ agent, query, list, origin }, { versions, cursors }) {
      const request = cursors.request(list, query);
      const [rows, total] = await Promise.all([versions.page(agent.id, request), versions.count(agent.id)]);
      const numbered = rows.map((row) => ({ ...row, id: row.number }));
      return ok(
        cursors.page(list, request, numbered, total, ({ id: _, ...row }) => presentListed(row, origin())),
      );
    },
  }),
  route({
    ...one,
    id: 'getVersion',
    method: 'GET',
    permission: 'view',
    summary: 'Read a version with all settings',
    description:
      'Settings that belong to one installation, such as the identity secret and the social channel, are no part of versions; name and URL of the agent neither.',
    responses: { 200: versionSchema },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ agent, params, origin }, { versions }) {
      const version = await versions.find(agent.id, numberOf(params));
      return ok(presentVersion(existing(version, 'RESOURCE_NOT_FOUND'), origin()));
    },
  }),
  route({
    ...one,
    id: 'restoreVersion',
    path: '/agents/:agentId/versions/:number/restore',
    method: 'POST',
    permission: 'edit',
    summary: 'Restore the settings of a version',
    description:
      'All groups get the settings of that version, which adds a new version. Limits and the plan apply as to a change: what they refuse is refused here. If the settings are the same already, the newest version is returned.',
    responses: { 200: versionSchema },
    refusals: [
      'RESOURCE_NOT_FOUND',
      'VALIDATION_INVALID_BODY',
      'CHAT_MODEL_NOT_ALLOWED',
      'SUBSCRIPTION_API_RESTRICTED_PLAN',
    ],
    idempotent: 'withIt',
    async handle({ agent, params, caller, origin, idempotency }, { agents, versions }) {
      const number = numberOf(params);
      const version = existing(await versions.find(agent.id, number), 'RESOURCE_NOT_FOUND');
      const settings = underRulesOfToday(version.settings, caller.entitlements);
      return responseOf(
        agents,
        { agentId: agent.id, idempotency },
        { kind: 'restoreVersion', number, settings },
        ({ version: restored }) => ok(presentVersion(restored, origin())),
      );
    },
  }),
  route({
    ...one,
    id: 'deleteVersion',
    method: 'DELETE',
    permission: 'edit',
    summary: 'Delete a version, such as one with a secret',
    description:
      'The next version no longer shows what the same fields were before it. The newest version cannot be deleted, because its settings are those of the agent.',
    responses: { 200: deletedVersion },
    refusals: ['RESOURCE_NOT_FOUND', 'VALIDATION_INVALID_BODY'],
    async handle({ agent, params }, { agents }) {
      await agents.send(agent.id, { kind: 'deleteVersion', number: numberOf(params) });
      return ok({ deleted: true });
    },
  }),
];
