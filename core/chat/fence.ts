import type { Passage } from '../knowledge/text/passages.js';

/*
 * In a prompt, each source stands between two lines with a random token per request. A document cannot contain the token,
 * and lines in it that look like a fence are altered, so it cannot close its own fence.
 */

/** Invisible characters that a model reads: controls, direction marks, tags, variation selectors. */
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are meant
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e01ef}]/gu;
/** `(?!=)` prevents backtracking into shorter runs. */
const lookAlike = /^([ \t]*)={2,}(?!=)(?=.*\bsource\b)/gim;

/** Removes what could mislead a model from a document's text. */
const harmlessText = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(invisible, '').replace(lookAlike, '$1--');

const onOneLine = (text: string): string => harmlessText(text.replace(/\s+/g, ' ')).trim();

export function fencedSource(number: number, passage: Passage, token: string): string {
  const { title, url, headings, text } = passage;
  return [
    `=== source ${number} (${token}) ===`,
    `Title: ${onOneLine(title)}`,
    ...(url === null ? [] : [`URL: ${onOneLine(url)}`]),
    ...(headings.length === 0 ? [] : [`Section: ${headings.map(onOneLine).join(' > ')}`]),
    '',
    harmlessText(text),
    `=== end of source ${number} (${token}) ===`,
  ].join('\n');
}
