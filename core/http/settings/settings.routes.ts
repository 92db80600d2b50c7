import { Type } from '@sinclair/typebox';
import { settingsGroups, settingsSchema, shownSettings } from '../../agent-settings/groups.js';
import { withPictureUrls } from '../../agent-settings/picture-fields.js';
import type { ComputedFrom, SettingsGroup } from '../../agent-settings/settings-group.js';
import type { JsonObject } from '../../schemas/json.js';
import { assertAllowed } from '../auth/access.js';
import { draftedSettings } from '../drafts/drafts.routes.js';
import { ok, type Route, route } from '../route.js';

/** Presents a group: the value under its key or, for a group without a key, its fields that are set. */
const presentGroup = ({ key, stored, computed }: SettingsGroup, from: ComputedFrom): JsonObject => {
  const { settings } = from;
  if (key !== undefined) return { ...(settings[key] as JsonObject | undefined), ...computed?.of(from) };
  return Object.fromEntries(
    Object.keys(stored.properties).flatMap((field) =>
      settings[field] === undefined ? [] : [[field, settings[field]]],
    ),
  );
};

const draftQuery = Type.Object(
  {
    draft: Type.Optional(
      Type.Boolean({
        description: 'Reads or changes the draft of the settings, which is not live. For editors',
      }),
    ),
  },
  { $id: 'DraftQuery' },
);

/** For a group without a key, a change returns the whole settings object. */
export const settingsRoutes: Route[] = settingsGroups.flatMap((group): Route[] => {
  const { path, key, name, operation, about, change, shown, body, refusals } = group;
  const beyond: { extension?: true } = group.extension ? { extension: true } : {};
  const place = { path: `/agents/:agentId/settings/${path}`, ...beyond } as const;
  return [
    route({
      ...place,
      id: `get${operation}Settings`,
      method: 'GET',
      scope: 'agentSettings',
      permission: 'view',
      summary: key === undefined ? `Read the ${name} groups` : `Read the ${name} settings; {} when unset`,
      description: `${about} The response omits fields that were never set.`,
      query: draftQuery,
      responses: { 200: shown },
      async handle({ agent, settings: live, caller, query, origin }, services) {
        const { entitlements } = caller;
        const { retrainSeconds } = services;
        if (query.draft) assertAllowed({ permission: 'edit' }, caller);
        const settings = query.draft
          ? await draftedSettings(services, { agentId: agent.id, settings: live, entitlements })
          : live;
        const shownNow = withPictureUrls(settings, origin());
        return ok(presentGroup(group, { agent, settings: shownNow, entitlements, retrainSeconds }));
      },
    }),
    route({
      ...place,
      id: `update${operation}Settings`,
      method: 'PATCH',
      scope: 'agentId',
      permission: 'edit',
      summary:
        key === undefined
          ? `Change ${name} settings; returns the full settings object`
          : `Change ${name} settings`,
      description: `${about} ${change}`,
      query: draftQuery,
      body,
      responses: { 200: key === undefined ? settingsSchema : shown },
      refusals,
      async handle({ agentId, body: sent, caller, query, origin }, { agents, retrainSeconds }) {
        const { entitlements } = caller;
        const refusal = group.refusal(sent as JsonObject, entitlements);
        const patch = group.toPatch(sent as JsonObject, entitlements);
        const { agent, settings: changed } = await agents.send(agentId, {
          kind: query.draft ? 'changeDraft' : 'configure',
          ...{ patch, refusal },
        });
        const settings = withPictureUrls(changed, origin());
        if (key === undefined) return ok(shownSettings(settings));
        return ok(presentGroup(group, { agent, settings, entitlements, retrainSeconds }));
      },
    }),
  ];
});
