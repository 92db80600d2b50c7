import type { Schema } from '../api/description.js';
import { count } from '../parts/numbers.js';
import { type Entries, type Entry, kindOf, linesOf } from './values.js';

const characters = (text: string): number => [...text].length;
const utf8 = new TextEncoder();
const EMPTY = 'Enter a value.';
const NO_SCHEME = 'Enter a valid URL, for example https://example.com.';

/** Returns used and maximum length of a field; null if the limit need not be shown. */
export function fillOf(schema: Schema, text: string): { used: number; limit: number; unit: string } | null {
  const { maxLength, maxItems, 'x-max-utf8-bytes': maxBytes } = schema;
  if (kindOf(schema) === 'lines')
    return maxItems === undefined ? null : { used: linesOf(text).length, limit: maxItems, unit: 'lines' };
  if (maxBytes !== undefined) return { used: utf8.encode(text).length, limit: maxBytes, unit: 'bytes' };
  return maxLength === undefined ? null : { used: characters(text), limit: maxLength, unit: 'characters' };
}

/** Checks an entry against its schema. Returns an empty list if it is valid; the API validates as well. */
function problemsOf(schema: Schema, entry: Entry, isRequired: boolean): string[] {
  if (typeof entry === 'boolean' || typeof entry === 'object' || kindOf(schema) === 'flag') return [];
  const text = entry ?? '';
  if (text.trim() === '') return isRequired ? [EMPTY] : [];
  const problems: string[] = [];
  const fill = fillOf(schema, text);
  if (fill && fill.used > fill.limit) problems.push(`Use at most ${count(fill.limit)} ${fill.unit}.`);
  const kind = kindOf(schema);
  const longest = schema.items?.maxLength;
  if (
    kind === 'lines' &&
    longest !== undefined &&
    linesOf(text).some((line) => characters(line.trim()) > longest)
  )
    problems.push(`Use at most ${count(longest)} characters on a line.`);
  if (kind === 'number') problems.push(...rangeProblems(schema, Number(text)));
  if (schema.format?.startsWith('http-url') && !isHttpUrl(text)) problems.push(NO_SCHEME);
  return problems;
}

const isHttpUrl = (text: string): boolean => /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);

function rangeProblems(
  { minimum = Number.NEGATIVE_INFINITY, maximum = Number.POSITIVE_INFINITY }: Schema,
  value: number,
) {
  if (Number.isNaN(value)) return ['Enter a number.'];
  return value < minimum || value > maximum
    ? [`Enter a number from ${count(minimum)} to ${count(maximum)}.`]
    : [];
}

/** Returns the problems of a form by field. A field in a group is named by its path. */
export function formProblems(schema: Schema, entries: Entries): Record<string, string[]> {
  const problems: Record<string, string[]> = {};
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    const entry = entries[name];
    const found = problemsOf(field, entry, schema.required?.includes(name) ?? false);
    if (found.length > 0) problems[name] = found;
    if (typeof entry !== 'object') continue;
    for (const [inner, within] of Object.entries(groupProblems(field, entry)))
      problems[`${name}.${inner}`] = within;
  }
  return problems;
}

/** Returns the problems of a group, which is sent completely or not at all. Its lists may be empty. */
function groupProblems(schema: Schema, entries: Entries): Record<string, string[]> {
  const isEmpty = Object.values(entries).every((entry) => entry === undefined || entry === '');
  if (isEmpty) return {};
  const problems = Object.entries(formProblems(schema, entries)).map(([name, found]) => {
    const isList = kindOf(schema.properties?.[name] ?? {}) === 'lines';
    return [name, isList ? found.filter((problem) => problem !== EMPTY) : found] as const;
  });
  return Object.fromEntries(problems.filter(([, found]) => found.length > 0));
}

/** Turns a problem reported by the API, such as `must not be empty`, into a sentence about the field. */
export function sentenceOf(problem: string, label: string): string {
  if (/^\p{Lu}/u.test(problem)) return problem;
  if (/\bURL\b/.test(problem) && !/private|public/.test(problem)) return NO_SCHEME;
  const [, inner, rest] = /^(\w+) (.*)$/su.exec(problem) ?? [];
  const isNamed = inner !== undefined && /[a-z][A-Z]/.test(inner);
  return isNamed ? `${label}: ${rest}.` : `${label} ${problem.replace(/\.$/, '')}.`;
}
