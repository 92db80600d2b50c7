import { limits } from '../schemas/limits.js';

/** Maximum number of messages for one answer. */
const MOST_PARTS = 5;
/**
 * Maximum number of characters to convert. A longer text rarely fits into the messages, and unclosed marks take quadratic
 * time.
 */
const MOST_MARKDOWN = 2 * MOST_PARTS * limits.social.messageBytes;

/** A link or picture: text, and URL with or without angle brackets. Takes linear time, even for unclosed brackets. */
const LINK = /!?\[([^[\]\n]*)\]\((?:<([^<>\n]*)>|((?:[^()\s]|\([^()\s]*\))*))(?:[ \t][^()\n]*)?\)/g;

/** Escaped signs are moved into the private use area, so that the other rules do not see them. */
const ESCAPE = /\\([!-/:;=-@[-`{-~])/g;
const HIDDEN = 0xe000;
const HIDDEN_SIGN = /[\ue021-\ue07e]/g;

/** Converts an answer from Markdown to plain text, because the platform does not render Markdown. */
export function plainMessage(markdown: string): string {
  return markdown
    .slice(0, MOST_MARKDOWN)
    .replace(ESCAPE, (_, sign: string) => String.fromCharCode(sign.charCodeAt(0) + HIDDEN))
    .replace(/^```[^\n]*\n?/gm, '')
    .replace(LINK, (_, words: string, a = '', b = '') => {
      const url = a || b;
      return words === '' || words === url ? url : `${words}: ${url}`;
    })
    .replace(/[ \t]?\[\d+\]/g, '')
    .replace(/^#{1,6}[ \t]+/gm, '')
    .replace(/^[ \t]*[*+][ \t]+/gm, '- ')
    .replace(/(\*\*|__)(?=\S)([\s\S]*?\S)\1/g, '$2')
    .replace(/(?<![\p{L}\p{N}*])\*(?=\S)([^*\n]*?\S)\*(?![\p{L}\p{N}*])/gu, '$1')
    .replace(/`([^`\n]+)`/g, '$1')
    .replace(HIDDEN_SIGN, (sign) => String.fromCharCode(sign.charCodeAt(0) - HIDDEN))
    .replace(/ +\n/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

const bytesOf = (text: string): number => Buffer.byteLength(text);

let graphemes: Intl.Segmenter | undefined;

/** Returns the longest beginning of at most `most` bytes that ends between two graphemes. */
function beginningOf(text: string, most: number): string {
  graphemes ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  let end = 0;
  let bytes = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    bytes += bytesOf(segment);
    if (bytes > most) break;
    end = index + segment.length;
  }
  // A single grapheme may be longer than a message. Cut it between code points.
  if (end > 0) return text.slice(0, end);
  let cut = '';
  for (const character of text) {
    if (bytesOf(cut + character) > most) break;
    cut += character;
  }
  return cut;
}

/** Where to cut, best first. A cut must leave a message at least half full. */
const cuts = [/\n\n+/gu, /\n/gu, /(?<=[.!?…])\s+|(?<=[。！？])/gu, /\s+/gu];

function partOf(text: string): string {
  const beginning = beginningOf(text, limits.social.messageBytes);
  if (beginning.length === text.length) return text;
  for (const cut of cuts) {
    const at = [
      ...`${beginning}${text.slice(beginning.length, beginning.length + 1)}`.matchAll(cut),
    ].findLast(({ index }) => index <= beginning.length && index >= beginning.length / 2);
    if (at) return beginning.slice(0, at.index);
  }
  return beginning;
}

/** Cuts a text into at most five messages of at most 1,000 bytes, and drops the rest. */
export function messageParts(text: string): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (rest !== '' && parts.length < MOST_PARTS) {
    const part = partOf(rest);
    if (part.trim() !== '') parts.push(part.trim());
    rest = rest.slice(part.length).trimStart();
  }
  return parts;
}
