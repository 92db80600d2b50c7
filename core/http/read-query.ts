import type { TObject } from '@sinclair/typebox';
import { invalidField } from '../errors/api-error.js';

/**
 * The known parameters of a query string, ready for validation: digits become numbers where the schema wants an integer. Unknown
 * parameters are ignored; a known one that comes twice is 400.
 */
export function readQuery(schema: TObject, querystring: string): Record<string, unknown> {
  const sent = new URLSearchParams(querystring);
  const query: Record<string, unknown> = {};
  for (const [name, property] of Object.entries(schema.properties)) {
    const values = sent.getAll(name);
    const [value] = values;
    if (value === undefined) continue;
    if (values.length > 1) throw invalidField(name, 'must be given once');
    query[name] = property['type'] === 'integer' && /^[0-9]+$/.test(value) ? Number(value) : value;
  }
  return query;
}
