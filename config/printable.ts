import type { JsonObject, JsonValue } from '../core/schemas/json.js';
import { settingKeys } from './setting-keys.js';
import type { Settings } from './settings.schema.js';

const REDACTED = '[redacted]';

/** Names of options help operators; which of the values are secret is known to the plugin alone. */
const redacted = (value: JsonValue): JsonValue => {
  if (value === null) return null;
  if (typeof value !== 'object' || Array.isArray(value)) return REDACTED;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, redacted(part)]));
};

/** A copy for logs and consoles: secrets are replaced, and so is every plugin option's value. */
export function printable(settings: Settings): JsonObject {
  const copy = structuredClone(settings) as unknown as JsonObject;
  for (const { path } of settingKeys.filter((key) => key.secret)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    const holder = names.reduce((at, name) => at[name] as JsonObject, copy);
    holder[last] = redacted(holder[last] ?? null);
  }
  return copy;
}
