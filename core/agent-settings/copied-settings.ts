import type { JsonObject } from '../schemas/json.js';
import type { Entitlements } from '../workspaces/entitlements.js';
import { changesBetween, versionedSettings } from './changes.js';
import { settingsGroups } from './groups.js';
import { mergeSettings } from './merge-settings.js';

/**
 * Returns the settings for a copy of an agent: not shared, without those of the installation, and without fields that the
 * plan refuses, which `leftOut` names.
 */
export function copiedSettings(
  live: JsonObject,
  entitlements: Entitlements,
): { settings: JsonObject; leftOut: string[] } {
  const { share: _, ...unshared } = versionedSettings(live);
  let settings: JsonObject = unshared;
  for (const group of settingsGroups) {
    const body = group.toBody(unshared);
    if (Object.keys(body).length === 0 || group.refusal(body, entitlements) === null) continue;
    const refused = Object.entries(body).filter(
      ([field, value]) => group.refusal({ [field]: value }, entitlements) !== null,
    );
    const cleared = Object.fromEntries(refused.map(([field]) => [field, null]));
    settings = mergeSettings(settings, group.toPatch(cleared, entitlements));
  }
  return { settings, leftOut: changesBetween(unshared, settings).map(({ field }) => field) };
}
