import type { JsonObject, JsonValue } from '../schemas/json.js';
import { mergedGroups } from './groups.js';

export const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Merges a patch into the settings. null removes a key, and also its group if the group is then empty. */
export function mergeSettings(settings: JsonObject, patch: JsonObject): JsonObject {
  const merged: JsonObject = { ...settings };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) {
      delete merged[key];
    } else if (mergedGroups.has(key) && isObject(value)) {
      const current = merged[key];
      const inner = mergeSettings(isObject(current) ? current : {}, value);
      if (Object.keys(inner).length === 0) delete merged[key];
      else merged[key] = inner;
    } else {
      merged[key] = value;
    }
  }
  return merged;
}
