import { ExtractError } from '../../../extract-error.js';
import { normalForm } from '../../../normal-form.js';
import { looksWritten } from '../../text/signs.js';

/** Minimum sample of Latin letters. */
const MIN_LETTERS = 300;
/**
 * In every language in Latin script, vowels have a larger share, and the most frequent letter is a vowel. Neither is
 * true if the codes of a font are mistaken for letters.
 */
const USUAL_VOWELS = 0.28;
const MIN_VOWELS = 0.2;
const SAMPLE = 1_500;
/** Maximum page numbers listed in a message. */
const MAX_NAMED = 200;

/**
 * Returns the numbers (from 1) of pages whose characters form no words, because their fonts do not declare which
 * letters they draw. Throws FILE_UNPARSABLE if no other page has text.
 */
export function unreadablePages(texts: readonly string[]): number[] {
  const pages: number[] = [];
  let readable = 0;
  for (const [i, text] of texts.entries()) {
    if (!isReadable(text)) pages.push(i + 1);
    else if (text !== '') readable++;
  }
  if (pages.length > 0 && readable === 0) {
    throw new ExtractError(
      'FILE_UNPARSABLE',
      `The text of ${pages.length === 1 ? 'page' : 'pages'} ${rangesOf(pages)} cannot be read: its fonts do not say which letters they draw. Upload a copy with recognised text (OCR).`,
    );
  }
  return pages;
}

/** Glyphs inside or beside words and numbers. Others may be bullets. */
const lost = /(?<=[\p{L}\p{N}\ufffd])[\ufffd\p{Co}]|[\ufffd\p{Co}](?=[\p{L}\p{N}])/gu;
const MAX_LOST = 0.02;

/** Returns whether the fonts of a page do not say what more than 2 % of its glyphs mean. */
export function lacksLetters(text: string): boolean {
  if (!/[\ufffd\p{Co}]/u.test(text)) return false;
  const glyphs = text.replace(/\s+/g, '').length;
  return (text.match(lost)?.length ?? 0) > MAX_LOST * glyphs;
}

function isReadable(text: string): boolean {
  if (!looksWritten(text)) return false;
  const sample = text.slice(0, SAMPLE);
  const plain = /[\u00c0-\u024f\u1e00-\u1eff]/.test(sample) ? normalForm(sample, 'NFD') : sample;
  const latin = plain.replace(/[^a-z]+/gi, '');
  if (latin.length < MIN_LETTERS) return true;
  const vowels = latin.replace(/[^aeiou]+/gi, '').length / latin.length;
  return vowels >= USUAL_VOWELS || (vowels >= MIN_VOWELS && /[aeiou]/.test(mostFrequent(latin)));
}

function mostFrequent(letters: string): string {
  const counts = new Map<string, number>();
  for (const letter of letters.toLowerCase()) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), ['', 0])[0];
}

/** Formats page numbers as `1-3, 7`. A long list is cut off. */
export function rangesOf(pages: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const page of pages) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === page - 1) last[1] = page;
    else ranges.push([page, page]);
  }
  const text = ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');
  return text.length <= MAX_NAMED ? text : `${text.slice(0, MAX_NAMED).replace(/,[^,]*$/, '')}, …`;
}
