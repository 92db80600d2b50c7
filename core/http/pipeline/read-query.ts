import type { TObject } from '@sinclair/typebox';
import type { FieldErrors } from '../validation/validate.js';

/**
 * Parses the known parameters of a query string for validation. Digits become a number if the schema has an integer; `true`
 * and `false` become booleans. Ignores unknown parameters, and reports repeated parameters.
 */
export function readQuery(
  schema: TObject,
  querystring: string,
): { query: Record<string, unknown>; problems: FieldErrors } {
  const sent = new URLSearchParams(querystring);
  const query: Record<string, unknown> = {};
  const problems: FieldErrors = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const values = sent.getAll(name);
    const [value] = values;
    if (value === undefined) continue;
    if (values.length > 1) problems[name] = ['must be given once'];
    else query[name] = typed(property.type, value);
  }
  return { query, problems };
}

function typed(type: unknown, value: string): unknown {
  if (type === 'integer' && /^[0-9]+$/.test(value)) return Number(value);
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true';
  return value;
}
