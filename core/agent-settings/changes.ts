import { isDeepStrictEqual } from 'node:util';
import type { FieldChange } from '../ports/store/agents/versions.js';
import type { JsonObject } from '../schemas/json.js';
import { localSettings, settingsGroups } from './groups.js';

/** Returns the fields of all groups that differ, by the names that clients send. */
export const changesBetween = (before: JsonObject, after: JsonObject): FieldChange[] =>
  settingsGroups.flatMap((group) => {
    const [old, now] = [group.toBody(before), group.toBody(after)];
    return [...new Set([...Object.keys(old), ...Object.keys(now)])].flatMap((name) => {
      const change = {
        field: `${group.path}.${name}`,
        before: old[name] ?? null,
        after: now[name] ?? null,
      };
      return isDeepStrictEqual(change.before, change.after) ? [] : [change];
    });
  });

/** Returns the settings without the local ones of this installation. */
export const versionedSettings = (settings: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(settings).filter(([key]) => !(key in localSettings)));

/** Returns the versioned settings, with the current settings of the installation. */
export const restoredSettings = (current: JsonObject, versioned: JsonObject): JsonObject => ({
  ...versioned,
  ...Object.fromEntries(Object.entries(current).filter(([key]) => key in localSettings)),
});
