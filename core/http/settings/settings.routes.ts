import { settingsGroups, settingsSchema, shownSettings } from '../../agent-settings/groups.js';
import type { SettingsGroup } from '../../agent-settings/settings-group.js';
import type { JsonObject } from '../../schemas/json.js';
import { ok, type Route, route } from '../route.js';

/** Presents a group: the value under its key or, for a group without a key, its fields that are set. */
const presentGroup = ({ key, stored }: SettingsGroup, settings: JsonObject): JsonObject => {
  if (key !== undefined) return (settings[key] as JsonObject | undefined) ?? {};
  return Object.fromEntries(
    Object.keys(stored.properties).flatMap((field) =>
      settings[field] === undefined ? [] : [[field, settings[field]]],
    ),
  );
};

/** For a group without a key, a change returns the whole settings object. */
export const settingsRoutes: Route[] = settingsGroups.flatMap((group): Route[] => {
  const { path, key, name, operation, about, stored, body, refusals } = group;
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
      responses: { 200: stored },
      handle: async ({ settings }) => ok(presentGroup(group, settings)),
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
      description: `${about} Omitted fields stay as they are.`,
      body,
      responses: { 200: key === undefined ? settingsSchema : stored },
      refusals,
      async handle({ agentId, body: sent, caller }, { agents }) {
        const refusal = group.refusal(sent as JsonObject, caller.entitlements);
        const patch = group.toPatch(sent as JsonObject, caller.entitlements);
        const { settings } = await agents.send(agentId, { kind: 'configure', patch, refusal });
        return ok(key === undefined ? shownSettings(settings) : presentGroup(group, settings));
      },
    }),
  ];
});
