import { composed } from '../composed.js';
import { withoutPictures } from '../without-pictures.js';

/** Spaces for typesetting only. Joiners (U+200C, U+200D) stay, because some scripts need them. */
const oddSpaces = /[\u00a0\u2007\u202f]/g;
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u200b\u2060\ufeff]/g;

/**
 * NFC, \n newlines, plain spaces, no invisible characters or lone surrogates, at most one empty line in a
 * row.
 */
export function normaliseText(text: string): string {
  const plain = withoutPictures(text.replace(/\r\n?|\u2028|\u2029|\u0085/g, '\n'))
    .replace(oddSpaces, ' ')
    .replace(invisible, '')
    .toWellFormed()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
  return composed(plain).replace(/^\n+/, '').trimEnd();
}
