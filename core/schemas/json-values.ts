import type { JsonValue } from './json.js';

const byteOf = (character: string): number => character.charCodeAt(0);
const QUOTE = byteOf('"');
const BACKSLASH = byteOf('\\');
const COMMA = byteOf(',');
const SPACE = byteOf(' ');
const UNICODE_ESCAPE = byteOf('u');
const opening: ReadonlySet<number> = new Set(['[', '{'].map(byteOf));
const closing: ReadonlySet<number> = new Set([']', '}'].map(byteOf));

/**
 * Whether a JSON text holds more than `most` values, counted without parsing it: a text of many small values takes a
 * parser fifty times as long as one of long strings. Lists, objects and strings count as one value each, beside the
 * values in them; names of fields do not count. The result is undefined for malformed JSON.
 */
export function holdsMoreValues(json: Buffer, most: number): boolean {
  if (json.length <= most) return false;
  let values = 1;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number;
    if (byte === QUOTE) {
      at = endOfString(json, at + 1);
      if (at === -1) return false;
    } else if (byte === COMMA || (opening.has(byte) && !isEmpty(json, at + 1))) {
      values++;
      if (values > most) return true;
    }
  }
  return false;
}

/** Whether the list or object whose content starts at `from` is empty. */
function isEmpty(json: Buffer, from: number): boolean {
  let at = from;
  // Every byte of white space in JSON is at most a space.
  while ((json[at] as number) <= SPACE) at++;
  return closing.has(json[at] as number);
}

/** Where the string that begins at `from` has its closing quote; -1 when it has none. */
function endOfString(json: Buffer, from: number): number {
  const quote = json.indexOf(QUOTE, from);
  if (json[quote - 1] !== BACKSLASH) return quote;
  for (let at = from; at < json.length; at++) {
    if (json[at] === BACKSLASH) at++;
    else if (json[at] === QUOTE) return at;
  }
  return -1;
}

/**
 * Minimum size in bytes of an equivalent JSON text: counts no white space, and one byte for each escape sequence.
 */
export function leastBytes(json: Buffer): number {
  let bytes = 0;
  let isString = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] as number;
    if (byte === QUOTE) isString = !isString;
    else if (byte === BACKSLASH) at += json[at + 1] === UNICODE_ESCAPE ? 5 : 1;
    else if (byte <= SPACE && !isString) continue;
    bytes++;
  }
  return bytes;
}

/** Number of values in a parsed JSON value, itself included. Works without recursion. */
export function countValues(root: JsonValue): number {
  let values = 0;
  const rest = [root];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    values++;
    if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) rest.push(inner);
  }
  return values;
}
