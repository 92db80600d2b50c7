import { mergedGroups } from '../../../agent-settings/groups.js';
import { isObject } from '../../../agent-settings/merge-settings.js';
import { invalidField } from '../../../errors/api-error.js';
import type { JsonObject, JsonValue } from '../../../schemas/json.js';
import { limits } from '../../../schemas/limits.js';

/**
 * Throws 400 for the largest field of the patch if the settings exceed the limit. Settings that exceeded the limit before
 * may keep their size or shrink.
 */
export function assertSettingsFit(before: JsonObject, after: JsonObject, patch: JsonObject): void {
  const bytes = bytesOf(after);
  if (bytes <= limits.settingsBytes || bytes <= bytesOf(before)) return;
  throw invalidField(
    largestField(patch),
    `must be shorter: the settings of an agent may have at most ${limits.settingsBytes} bytes as JSON, and would have ${bytes}`,
  );
}

const counted = new WeakMap<object, number>();

/** Returns the size as JSON. Values that the patch does not change are the same objects as before, so it is cached. */
function bytesOf(value: JsonValue): number {
  if (!isObject(value)) return Buffer.byteLength(JSON.stringify(value));
  const known = counted.get(value);
  if (known !== undefined) return known;
  let bytes = '{}'.length;
  for (const [key, inner] of Object.entries(value))
    if (inner !== undefined) bytes += bytesOf(key) + bytesOf(inner) + ':,'.length;
  if (bytes > '{}'.length) bytes -= ','.length;
  counted.set(value, bytes);
  return bytes;
}

/** Field that is derived from `prompts`. Clients never send it. */
const DERIVED = 'enabled';

/** Returns the name of the largest field as the client sent it: groups do not rename fields. */
function largestField(patch: JsonObject): string {
  const sent = fieldsOf(patch).filter(([name]) => name !== DERIVED);
  const fields = sent.sort(([, one], [, other]) => bytesOf(other) - bytesOf(one));
  return fields[0]?.[0] ?? '';
}

const fieldsOf = (patch: JsonObject): [string, JsonValue][] =>
  Object.entries(patch).flatMap(([key, value]) =>
    mergedGroups.has(key) && isObject(value) ? fieldsOf(value) : [[key, value] as [string, JsonValue]],
  );
