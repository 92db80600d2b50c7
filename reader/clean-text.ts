import { normalForm } from './normal-form.js';

/**
 * Characters that NFC may change, or that may be marks. There are none below U+0300, or among dashes, quotation marks
 * and dots.
 */
const mayChange = /[\u0300-\u200f\u2028-\uffff]/;

/** Control characters other than tab and line feed, and the byte order mark. */
const unwanted = /(?![\t\n])\p{Cc}|[\ufeff\ufffe\uffff]/gu;

/** A picture, font or sound embedded in a text: base 64 on one or more lines, or the markup of a drawing. */
const inBase64 =
  /data:[a-z]+\/[a-z\d.+-]+(?:;[a-z\d-]+=[a-z\d-]+)*;base64,[A-Za-z\d+/]{40,}={0,2}(?:\n[A-Za-z\d+/]{40,}={0,2})*(?:\n[A-Za-z\d+/]{1,75}={1,2}(?![A-Za-z\d+/=]))?/g;
const asDrawing = /data:image\/svg\+xml[^,\s]{0,40},(?:(?!data:)[^\n]){0,20000}?(?:%3C\/svg%3E|<\/svg>)/gi;

/**
 * Makes a text safe to store: LF line ends, NFC, no embedded pictures or other data, no control characters, no lone
 * surrogates, and limited runs of combining marks.
 */
export function cleanText(text: string): string {
  const lines = text.replace(/\r\n?|[\v\f\u0085\u2028\u2029]/g, '\n');
  const plain = lines.includes('data:') ? lines.replace(inBase64, '').replace(asDrawing, '') : lines;
  const wellFormed = plain.replace(unwanted, '').toWellFormed();
  return mayChange.test(wellFormed) ? normalForm(wellFormed, 'NFC') : wellFormed;
}

/** Removes trailing blanks and repeated blank lines. For text assembled from a layout. */
export const tidyBlanks = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/^\n+/, '')
    .trimEnd();
