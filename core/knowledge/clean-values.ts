import type { JsonObject, JsonValue } from '../schemas/json.js';

/** Control characters and byte order marks: never part of what a page or file says about itself. */
const unwanted = /\p{Cc}|[\ufeff\ufffe\uffff]/gu;

/**
 * Safe to store and to show: no control characters, lone surrogates replaced. Leaves all other
 * characters as they are.
 */
export const cleanString = (text: string): string => text.replace(unwanted, '').toWellFormed();

/**
 * The same for every string in a value. What pages and servers say (JSON-LD, headers) can hold anything
 * that JSON can escape.
 */
export const cleanValues = (values: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [cleanString(name), clean(value)]));

function clean(value: JsonValue): JsonValue {
  if (typeof value === 'string') return cleanString(value);
  if (Array.isArray(value)) return value.map(clean);
  return typeof value === 'object' && value !== null ? cleanValues(value) : value;
}
