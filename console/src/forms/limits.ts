import type { Schema } from '../api/description.js';
import { type Entries, type Entry, kindOf, linesOf } from './values.js';

const characters = (text: string): number => [...text].length;
const utf8 = new TextEncoder();
const EMPTY = 'must not be empty';

/** Used and maximum length of a field; null if a limit is not worth showing. */
export function fillOf(schema: Schema, text: string): { used: number; limit: number; unit: string } | null {
  const { maxLength, maxItems, 'x-max-utf8-bytes': maxBytes } = schema;
  if (kindOf(schema) === 'lines')
    return maxItems === undefined ? null : { used: linesOf(text).length, limit: maxItems, unit: 'lines' };
  if (maxBytes !== undefined) return { used: utf8.encode(text).length, limit: maxBytes, unit: 'bytes' };
  return maxLength === undefined ? null : { used: characters(text), limit: maxLength, unit: 'characters' };
}

/** Checks an entry against its schema. Returns an empty list if it is valid; the API validates as well. */
export function problemsOf(schema: Schema, entry: Entry, isRequired: boolean): string[] {
  if (typeof entry === 'boolean' || typeof entry === 'object') return [];
  if (kindOf(schema) === 'flag') return isRequired ? ['must be on or off'] : [];
  const text = entry ?? '';
  if (text.trim() === '') return isRequired ? [EMPTY] : [];
  const problems: string[] = [];
  const fill = fillOf(schema, text);
  if (fill && fill.used > fill.limit) problems.push(`must have at most ${fill.limit} ${fill.unit}`);
  const kind = kindOf(schema);
  const longest = schema.items?.maxLength;
  if (
    kind === 'lines' &&
    longest !== undefined &&
    linesOf(text).some((line) => characters(line.trim()) > longest)
  )
    problems.push(`must have at most ${longest} characters on a line`);
  if (kind === 'number') problems.push(...rangeProblems(schema, Number(text)));
  return problems;
}

function rangeProblems(
  { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: Schema,
  value: number,
) {
  if (Number.isNaN(value)) return ['must be a number'];
  return value < minimum || value > maximum ? [`must be from ${minimum} to ${maximum}`] : [];
}

/** Problems of a form by field name, as in the API's `fieldErrors`. */
export function formProblems(schema: Schema, entries: Entries): Record<string, string[]> {
  const problems: Record<string, string[]> = {};
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const entry = entries[name];
    const inner = typeof entry === 'object' ? groupProblems(field, entry) : [];
    const found = [...inner, ...problemsOf(field, entry, schema.required?.includes(name) ?? false)];
    if (found.length > 0) problems[name] = found;
  }
  return problems;
}

/** A group is sent completely or not at all; its lists may be empty. */
function groupProblems(schema: Schema, entries: Entries): string[] {
  const isEmpty = Object.values(entries).every((entry) => entry === undefined || entry === '');
  if (isEmpty) return [];
  const kindIn = (name: string) => kindOf(schema.properties?.[name] ?? {});
  return Object.entries(formProblems(schema, entries)).flatMap(([name, found]) =>
    found
      .filter((problem) => kindIn(name) !== 'lines' || problem !== EMPTY)
      .map((problem) => `${name} ${problem}`),
  );
}
