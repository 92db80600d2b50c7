export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

export const isJsonObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * A text that is the same for values that are equal as JSON, whatever the order of their fields. Throws
 * RangeError for one that is nested too deeply to be written.
 */
export function canonicalJson(value: JsonValue): string {
  const root = [value];
  // Without recursion, and without a replacer, which fails at half the depth that JSON can be written with.
  const open: (JsonObject | JsonValue[])[] = [root];
  for (let next = open.pop(); next; next = open.pop()) {
    const held = next as JsonObject;
    for (const key of Object.keys(held)) {
      const inner = held[key];
      if (typeof inner !== 'object' || inner === null) continue;
      const copy = Array.isArray(inner) ? [...inner] : sorted(inner);
      held[key] = copy;
      open.push(copy);
    }
  }
  return JSON.stringify(root[0]);
}

function sorted(object: JsonObject): JsonObject {
  const copy: JsonObject = Object.create(null);
  for (const name of Object.keys(object).sort()) copy[name] = object[name] as JsonValue;
  return copy;
}

/** The value as JSON; null for what is nested too deeply to be written. */
export function jsonText(value: unknown): string | null {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}

/** UTF-8 bytes of the value as JSON; infinity for what is nested too deeply to be written. */
export function jsonBytes(value: unknown): number {
  const text = jsonText(value);
  return text === null ? Number.POSITIVE_INFINITY : Buffer.byteLength(text);
}
