import { ExtractError } from '../../extract-error.js';
import { looksWritten } from '../text/signs.js';

/** So many letters of the Latin script tell whether they make words. */
const FEWEST_LETTERS = 300;
/**
 * In every language that is written with them, more of them are vowels, and the most frequent one is a vowel;
 * where the codes of a font are taken for letters, neither holds.
 */
const USUAL_VOWELS = 0.28;
const FEWEST_VOWELS = 0.2;
const SAMPLE = 1_500;
/** Page numbers that a sentence names. */
const MOST_NAMED = 200;

/**
 * Numbers, from 1 on, of the pages whose signs make no words: fonts that do not say which letters they draw.
 * Throws FILE_UNPARSABLE where that is all there is.
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

function isReadable(text: string): boolean {
  if (!looksWritten(text)) return false;
  const sample = text.slice(0, SAMPLE);
  const plain = /[\u00c0-\u024f\u1e00-\u1eff]/.test(sample) ? sample.normalize('NFD') : sample;
  const latin = plain.replace(/[^a-z]+/gi, '');
  if (latin.length < FEWEST_LETTERS) return true;
  const vowels = latin.replace(/[^aeiou]+/gi, '').length / latin.length;
  return vowels >= USUAL_VOWELS || (vowels >= FEWEST_VOWELS && /[aeiou]/.test(mostFrequent(latin)));
}

function mostFrequent(letters: string): string {
  const counts = new Map<string, number>();
  for (const letter of letters.toLowerCase()) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best), ['', 0])[0];
}

/** `1-3, 7`, cut where it is long. */
export function rangesOf(pages: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const page of pages) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === page - 1) last[1] = page;
    else ranges.push([page, page]);
  }
  const text = ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');
  return text.length <= MOST_NAMED ? text : `${text.slice(0, MOST_NAMED).replace(/,[^,]*$/, '')}, …`;
}
