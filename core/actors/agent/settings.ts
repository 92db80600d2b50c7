import type { JsonObject, JsonValue } from '../../ports/json.js';

/** Groups merge field by field; any other object (a rate limit, a list of domains) is replaced as a whole. */
const mergedGroups = new Set([
  'ai',
  'security',
  'notification',
  'training',
  'branding',
  'conversation',
  'defaultPrompts',
  'features',
]);

const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The settings with a patch merged in. null removes a key, and a group that holds nothing any more goes with it. Pure. */
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
