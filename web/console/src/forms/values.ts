import type { Schema } from '../api/description.js';

/** A form's entry as typed, before conversion. Undefined: not set. */
export type Entry = string | boolean | Entries | undefined;
export interface Entries {
  [field: string]: Entry;
}

export type Kind = 'object' | 'choices' | 'lines' | 'flag' | 'choice' | 'number' | 'text';

const typesOf = ({ type = [] }: Schema): string[] => [type].flat();

export function kindOf(schema: Schema): Kind {
  const types = typesOf(schema);
  if (schema.enum) return 'choice';
  if (types.includes('object')) return 'object';
  if (types.includes('array')) return schema.items?.enum ? 'choices' : 'lines';
  if (types.includes('boolean')) return 'flag';
  return types.includes('number') || types.includes('integer') ? 'number' : 'text';
}

const canBeNull = (schema: Schema): boolean => typesOf(schema).includes('null');

/** Finds the first value with a name in nested groups, because the API stores some flat fields in groups. */
function found(name: string, stored: Record<string, unknown>): unknown {
  if (name in stored) return stored[name];
  for (const inner of Object.values(stored))
    if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) {
      const value = found(name, inner as Record<string, unknown>);
      if (value !== undefined) return value;
    }
  return undefined;
}

/** Converts stored values to entries. */
export const entriesOf = (schema: Schema, stored: Record<string, unknown>): Entries =>
  Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, field]) => [
      name,
      entryOf(field, found(name, stored)),
    ]),
  );

function entryOf(schema: Schema, value: unknown): Entry {
  const kind = kindOf(schema);
  if (kind === 'object') return entriesOf(schema, (value ?? {}) as Record<string, unknown>);
  if (value === undefined || value === null) return undefined;
  if (kind === 'flag') return value === true;
  if (kind === 'lines' || kind === 'choices')
    return Array.isArray(value) ? value.map(lineOf).join('\n') : String(value);
  return String(value);
}

/** Returns the line for an item of a list: `9:00-17:00` for a span, `email*` for a required field. */
export const lineOf = (item: unknown): string => {
  if (Array.isArray(item)) return item.join('-');
  const { name, required } = (item ?? {}) as { name?: string; required?: boolean };
  return name === undefined ? String(item) : `${name}${required ? '*' : ''}`;
};

/** Returns the item for a line. */
function itemFor({ items = {} }: Schema, line: string): unknown {
  const types = typesOf(items);
  if (types.includes('array')) return line.split(/[-–]/).map((part) => part.trim());
  if (!types.includes('object')) return line;
  return { name: line.replace(/\*\s*$/, '').trim(), required: /\*\s*$/.test(line) };
}

export const linesOf = (text: string): string[] => text.split('\n').filter((line) => line.trim() !== '');

/** Converts an entry to the value to send. Returns undefined to omit it. */
function sentFor(schema: Schema, entry: Entry): unknown {
  if (typeof entry === 'object') return bodyOf(schema, entry) ?? (canBeNull(schema) ? null : undefined);
  if (entry === undefined || typeof entry === 'boolean') return entry;
  switch (kindOf(schema)) {
    case 'choices':
    case 'lines':
      return linesOf(entry).map((line) => itemFor(schema, line));
    case 'number':
      return entry.trim() === '' ? undefined : Number(entry);
    case 'choice':
      return entry === '' ? undefined : entry;
    default:
      return entry === '' && canBeNull(schema) ? null : entry;
  }
}

/** Returns the filled fields; undefined if all are empty. */
export function bodyOf(schema: Schema, entries: Entries): Record<string, unknown> | undefined {
  const body = Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .map(([name, field]) => [name, sentFor(field, entries[name])] as const)
      .filter(([, value]) => value !== undefined),
  );
  if (Object.keys(body).length === 0) return undefined;
  return { ...emptyValues(schema), ...body };
}

/** Returns empty values for required lists and flags without an entry. */
const emptyValues = ({ properties = {}, required = [] }: Schema): Record<string, unknown> =>
  Object.fromEntries(
    required.flatMap((name): [string, unknown][] => {
      const kind = kindOf(properties[name] ?? {});
      if (kind === 'lines') return [[name, []]];
      return kind === 'flag' ? [[name, false]] : [];
    }),
  );

/** Returns only changed values, for a PATCH. */
export function changesOf(
  schema: Schema,
  before: Entries,
  after: Entries,
): Record<string, unknown> | undefined {
  const changed = Object.fromEntries(
    Object.entries(after).filter(([name, entry]) => JSON.stringify(entry) !== JSON.stringify(before[name])),
  );
  return bodyOf(schema, changed);
}
