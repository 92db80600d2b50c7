import type { ExtractResult } from '../../../workers/threads/extract-threads.js';
import type { Expectation } from './files.js';

const fold = (text: string): string => text.normalize('NFKC').replace(/\s+/g, ' ').trim();

type End = 'text' | 'empty' | 'refused';

const accepted: Record<Expectation['expect'], End[]> = {
  text: ['text'],
  no_text: ['empty', 'refused'],
  error: ['refused'],
  error_or_empty: ['refused', 'empty'],
  text_or_error: ['text', 'refused'],
};

const textOf = (result: ExtractResult): string => (result.ok ? fold(result.extraction.text) : '');

/** Returns why a file did not meet its expectation; null if it did. A crash or timeout never does. */
export function problemOf(result: ExtractResult, expected: Expectation): string | null {
  const text = textOf(result);
  const end: End = !result.ok ? 'refused' : text === '' ? 'empty' : 'text';
  if (!result.ok && ['PARSE_TIMEOUT', 'PARSE_MEMORY', 'TASK_FAILED'].includes(result.failure.code))
    return result.failure.code;
  if (!accepted[expected.expect].includes(end))
    return `expected ${expected.expect}, got ${result.ok ? end : result.failure.code}`;
  if (end === 'refused') return null;
  return lacking(text, expected) ?? unwanted(result, expected) ?? rare(text, expected);
}

/** Counts the `should_contain` strings that were found. */
export function extras(
  result: ExtractResult,
  { should_contain = [] }: Expectation,
): [found: number, of: number] {
  const text = textOf(result);
  return [should_contain.filter((part) => text.includes(fold(part))).length, should_contain.length];
}

function lacking(text: string, { must_contain = [], ordered }: Expectation): string | null {
  let from = 0;
  for (const part of must_contain) {
    const at = text.indexOf(fold(part), ordered ? from : 0);
    if (at < 0) return `lacks ${JSON.stringify(part.slice(0, 60))}`;
    from = at;
  }
  return null;
}

function unwanted(result: ExtractResult, { must_not_contain = [] }: Expectation): string | null {
  const text = textOf(result);
  const unfolded = result.ok ? result.extraction.text : '';
  const part = must_not_contain.find(
    (one) => unfolded.includes(one) || (fold(one) !== '' && text.includes(fold(one))),
  );
  return part === undefined ? null : `has ${JSON.stringify(part.slice(0, 60))}`;
}

function rare(text: string, { min_chars_in_ranges: wanted }: Expectation): string | null {
  if (!wanted) return null;
  const bounds = wanted.ranges.map((range) => range.split('-').map((hex) => Number.parseInt(hex, 16)));
  const within = (code: number) => bounds.some(([first = 0, last = 0]) => code >= first && code <= last);
  const count = [...text].filter((character) => within(character.codePointAt(0) ?? 0)).length;
  return count >= wanted.count ? null : `${count} of ${wanted.count} characters of ${wanted.ranges}`;
}
