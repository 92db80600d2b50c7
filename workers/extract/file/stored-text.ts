import { composed } from '../composed.js';
import { withoutPictures } from '../without-pictures.js';

/** Control characters other than tab and line feed, and the byte order mark: never part of a text. */
const unwanted = /(?![\t\n])\p{Cc}|[\ufeff\ufffe\uffff]/gu;

/**
 * Makes a text safe to store: LF line ends, NFC, no data of pictures, no control characters, no lone
 * surrogates, no endless piles of accents.
 */
export const cleanText = (text: string): string =>
  composed(
    withoutPictures(text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n'))
      .replace(unwanted, '')
      .toWellFormed(),
  );

/** For text that was put together from a layout: no blanks at line ends, at most one blank line in a row. */
export const tidyBlanks = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd();

const TITLE_CHARS = 200;

/** One line, bounded; null when nothing is left. */
export function cleanTitle(title: string): string | null {
  const line = cleanText(title.slice(0, 4 * TITLE_CHARS))
    .replace(/\s+/g, ' ')
    .trim();
  return line === '' ? null : [...line].slice(0, TITLE_CHARS).join('').trim();
}
