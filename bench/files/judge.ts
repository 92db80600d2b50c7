import type { Expectation } from '../../test/support/corpus/files.js';
import { textOf } from '../readers/html-text.js';
import type { Reading } from '../readers/reader-process.js';

/** The rules of the corpus, the same for every tool. Whatever a tool throws counts as a clear failure; a crash or a hang does not. */

const fold = (text: string): string => text.normalize('NFKC').replace(/\s+/g, ' ').trim();

type End = 'text' | 'empty' | 'refused';

const accepted: Record<Expectation['expect'], End[]> = {
  text: ['text'],
  no_text: ['empty', 'refused'],
  error: ['refused'],
  error_or_empty: ['refused', 'empty'],
  text_or_error: ['text', 'refused'],
};

/** Why a file did not meet its expectation; null when it did. */
export function problemOf(reading: Reading, expected: Expectation): string | null {
  if (reading.end === 'crashed' || reading.end === 'hung') return reading.end;
  const text = reading.end === 'read' ? fold(textOf(reading.content)) : '';
  const end: End = reading.end === 'refused' ? 'refused' : text !== '' ? 'text' : 'empty';
  if (!accepted[expected.expect].includes(end)) {
    const reason = reading.end === 'refused' ? ` (${reading.code ?? reading.message.slice(0, 60)})` : '';
    return `${expected.expect} expected, got ${end}${reason}`;
  }
  if (end === 'refused') return null;
  return lacking(text, expected) ?? unwanted(text, expected) ?? rare(text, expected);
}

/** Strings that count for less than `must_contain`: how many there are, and how many were found. */
export function extras(reading: Reading, { should_contain = [] }: Expectation): [found: number, of: number] {
  const text = reading.end === 'read' ? fold(textOf(reading.content)) : '';
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

function unwanted(text: string, { must_not_contain = [] }: Expectation): string | null {
  const part = must_not_contain.map(fold).find((one) => one !== '' && text.includes(one));
  return part === undefined ? null : `has ${JSON.stringify(part.slice(0, 60))}`;
}

function rare(text: string, { min_chars_in_ranges: wanted }: Expectation): string | null {
  if (!wanted) return null;
  const bounds = wanted.ranges.map((range) => range.split('-').map((hex) => Number.parseInt(hex, 16)));
  const within = (code: number) => bounds.some(([first = 0, last = 0]) => code >= first && code <= last);
  const count = [...text].filter((character) => within(character.codePointAt(0) ?? 0)).length;
  return count >= wanted.count ? null : `${count} of ${wanted.count} characters of ${wanted.ranges}`;
}
