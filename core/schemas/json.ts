export type JsonValue = null | boolean | number | string | JsonValue[] | { [key: string]: JsonValue };
export type JsonObject = { [key: string]: JsonValue };

export const isJsonObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Serialises equal JSON values to the same text, regardless of the order of fields. Throws RangeError if the value is
 * nested too deeply.
 */
export function canonicalJson(value: JsonValue): string {
  const root = [value];
  // Iterative, and without a replacer function, which would halve the depth that JSON.stringify supports.
  const open: (JsonObject | JsonValue[])[] = [root];
  const copyOf = (inner: JsonValue): JsonValue => {
    if (typeof inner !== 'object' || inner === null) return inner;
    const copy = Array.isArray(inner) ? [...inner] : sorted(inner);
    open.push(copy);
    return copy;
  };
  for (let next = open.pop(); next; next = open.pop()) {
    if (Array.isArray(next)) for (let n = 0; n < next.length; n++) next[n] = copyOf(next[n] as JsonValue);
    else for (const name of Object.keys(next)) next[name] = copyOf(next[name] as JsonValue);
  }
  return JSON.stringify(root[0]);
}

function sorted(object: JsonObject): JsonObject {
  const names = Object.keys(object);
  if (names.length === 0) return {};
  const copy: JsonObject = Object.create(null);
  for (const name of names.sort()) copy[name] = object[name] as JsonValue;
  return copy;
}

/** Serialises the value. Returns null if it is nested too deeply. */
export function jsonText(value: unknown): string | null {
  try {
    return JSON.stringify(value);
  } catch {
    return null;
  }
}

/** Returns the size as JSON in UTF-8 bytes; infinity if the value is nested too deeply. */
export function jsonBytes(value: unknown): number {
  const text = jsonText(value);
  return text === null ? Number.POSITIVE_INFINITY : Buffer.byteLength(text);
}
