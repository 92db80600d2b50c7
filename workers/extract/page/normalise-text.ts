import { composed } from '../composed.js';

/** Largest text that one source stores, in UTF-8 bytes. */
export const MAX_TEXT_BYTES = 4 * 1024 * 1024;

/** Spaces that only guide typesetting; joiners (U+200C, U+200D) stay: some scripts need them. */
const oddSpaces = /[\u00a0\u2007\u202f]/g;
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u0084\u0086-\u009f\u00ad\u200b\u2060\ufeff]/g;

/** NFC, \n newlines, plain spaces, nothing invisible, no lone surrogates, at most one empty line in a row. */
export function normaliseText(text: string): string {
  const plain = text
    .replace(/\r\n?|\u2028|\u2029|\u0085/g, '\n')
    .replace(oddSpaces, ' ')
    .replace(invisible, '')
    .toWellFormed()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n');
  return composed(plain).replace(/^\n+/, '').trimEnd();
}

/** Cuts a text to `maxBytes` of UTF-8, at a line's end where one is near. */
export function capText(
  text: string,
  maxBytes: number = MAX_TEXT_BYTES,
): { text: string; truncated: boolean } {
  if (text.length * 3 <= maxBytes) return { text, truncated: false };
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= maxBytes) return { text, truncated: false };
  let end = maxBytes;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  const cut = bytes.toString('utf8', 0, end);
  const line = cut.lastIndexOf('\n');
  return { text: (line > cut.length * 0.9 ? cut.slice(0, line) : cut).trimEnd(), truncated: true };
}
