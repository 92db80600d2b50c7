import type { JsonObject, JsonValue } from '../../schemas/json.js';

/** Control characters and byte order marks, which are never content. */
const unwanted = /\p{Cc}|[\ufeff\ufffe\uffff]/gu;

/** Removes control characters and replaces lone surrogates, so that the text can be stored and displayed. */
export const cleanString = (text: string): string => text.replace(unwanted, '').toWellFormed();

/**
 * Cleans every string in an object, including property names. Data from pages and servers (JSON-LD, headers) may
 * contain any character that JSON can escape.
 */
export const cleanValues = (values: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [cleanString(name), clean(value)]));

function clean(value: JsonValue): JsonValue {
  if (typeof value === 'string') return cleanString(value);
  if (Array.isArray(value)) return value.map(clean);
  return typeof value === 'object' && value !== null ? cleanValues(value) : value;
}
