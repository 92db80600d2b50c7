import { composed } from '../composed.js';
import { withoutPictures } from '../without-pictures.js';

/** Control characters other than tab and line feed, and the byte order mark. */
const unwanted = /(?![\t\n])\p{Cc}|[\ufeff\ufffe\uffff]/gu;

/**
 * Makes a text safe to store: LF line ends, NFC, no embedded data of pictures, no control characters, no lone
 * surrogates, limited runs of combining marks.
 */
export const cleanText = (text: string): string =>
  composed(
    withoutPictures(text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n'))
      .replace(unwanted, '')
      .toWellFormed(),
  );

/** For text assembled from a layout: removes trailing blanks and repeated blank lines. */
export const tidyBlanks = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd();

const TITLE_CHARS = 200;

/** Returns one line of limited length; null if it is empty. */
export function cleanTitle(title: string): string | null {
  const line = cleanText(title.slice(0, 4 * TITLE_CHARS))
    .replace(/\s+/g, ' ')
    .trim();
  return line === '' ? null : [...line].slice(0, TITLE_CHARS).join('').trim();
}
