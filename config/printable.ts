import type { JsonObject } from '../core/schemas/json.js';
import { settingKeys } from './setting-keys.js';
import type { Settings } from './settings.schema.js';
import { withoutPasswords } from './without-passwords.js';

/** Returns a copy of the settings for logs and consoles, without passwords and keys. Hosts and names stay. */
export function printable(settings: Settings): JsonObject {
  const copy = structuredClone(settings) as unknown as JsonObject;
  for (const { path } of settingKeys.filter((key) => key.secret)) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    const holder = names.reduce((at, name) => at[name] as JsonObject, copy);
    holder[last] = withoutPasswords(holder[last] ?? null);
  }
  return copy;
}
