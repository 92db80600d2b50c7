import type { Passage } from '../knowledge/passages.js';

/*
 * Puts each source in a prompt between two lines with a token of this request. A document cannot know the
 * token, and what looks like such a line in it is changed: so it cannot end its own fence.
 */

/** Signs that nobody sees and a model reads: controls, directions, tags, selectors of variants. */
const invisible =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are meant
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff]|[\u{e0000}-\u{e01ef}]/gu;
const lookAlike = /^([ \t]*)={2,}(?=.*\bsource\b)/gim;

/** What a document says, as it may stand in a prompt. */
const harmlessText = (text: string): string =>
  text.replace(/\r\n?/g, '\n').replace(invisible, '').replace(lookAlike, '$1--');

const onOneLine = (text: string): string => harmlessText(text.replace(/\s+/g, ' ')).trim();

/** One source under its number. */
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
