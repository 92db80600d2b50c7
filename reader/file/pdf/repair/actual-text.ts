import { stringAt } from './pdf-string.js';

/** Begins the tag of a part with a replacement text. UTF-16 code units in hexadecimal follow. */
const TAG = 'ActualText.';
const KEY = '/ActualText';
/** Maximum distance between the key and both ends of its dictionary. */
const NEAR = 512;

const tagBefore = /\/[^\s/<>()[\]{}%]+\s*$/;
const endOfDictionary = /^(?:[^<>()]|<[\da-fA-F\s]*>|\((?:[^()\\]|\\[\s\S])*\))*>>\s*BDC(?![A-Za-z])/;

/**
 * Moves the replacement texts of a content stream (ISO 32000-1, 14.9.4) into the tags of their parts, because pdf.js
 * returns only tags. Returns null without any.
 */
export function withActualTextTags(content: string): string | null {
  const parts: string[] = [];
  let done = 0;
  for (let at = content.indexOf(KEY); at >= 0; ) {
    const value = stringAt(content, at + KEY.length);
    // A string without an end would be read again for each key.
    if (value === null && /^\s*[(<]/.test(content.slice(at + KEY.length, at + NEAR))) break;
    const before = content.slice(Math.max(done, at - NEAR), at);
    const open = before.lastIndexOf('<<');
    const tag = open < 0 || before.includes('>>', open) ? null : tagBefore.exec(before.slice(0, open));
    const rest = value === null ? null : endOfDictionary.exec(content.slice(value.end, value.end + NEAR));
    if (tag !== null && value !== null && rest !== null) {
      parts.push(content.slice(done, at - before.length + tag.index), `${tagOf(value.text)} <<>> BDC`);
      done = value.end + rest[0].length;
    }
    at = content.indexOf(KEY, value?.end ?? at + KEY.length);
  }
  return parts.length === 0 ? null : parts.join('') + content.slice(done);
}

/** Returns the tag of a part with this replacement text. */
export const tagOf = (text: string): string => `/${TAG}${Buffer.from(text, 'utf16le').toString('hex')}`;

/** Empty replacement text, for example of a hyphen at the end of a line. */
export const NOTHING = '\0';

/** Returns the replacement text of a tag; null if it has none, or none with a meaning. */
export function actualTextOf(tag: unknown): string | null {
  if (typeof tag !== 'string' || !tag.startsWith(TAG)) return null;
  const text = Buffer.from(tag.slice(TAG.length), 'hex').toString('utf16le');
  if (text === '') return NOTHING;
  return /[\p{Co}\p{Cn}\p{Cs}\ufffd]|(?!\s)\p{Cc}/u.test(text) ? null : text;
}
