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
 * Returns whether a JSON text contains more than `most` values. Counts without parsing, because a parser takes 50
 * times as long for many small values as for one long string of the same size. An array or object counts as one
 * value, plus the values in it; property names do not count. The result for malformed JSON is arbitrary.
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

/** Returns whether the array or object that starts just before `from` is empty. */
function isEmpty(json: Buffer, from: number): boolean {
  let at = from;
  // All white space in JSON is at or below the space character.
  while ((json[at] as number) <= SPACE) at++;
  return closing.has(json[at] as number);
}

/** Returns the index of the closing quote of the string whose content starts at `from`, or -1. */
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
 * Returns a lower bound for the size of an equivalent JSON text in bytes: ignores white space and counts each escape
 * sequence as one byte.
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

/**
 * Returns whether arrays and objects nest more than `most` levels deep. Iterative, so that deep nesting cannot
 * overflow the stack.
 */
export function nestsDeeper(root: JsonValue, most: number): boolean {
  const rest = [{ value: root, depth: 1 }];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    const { value, depth } = next;
    if (typeof value !== 'object' || value === null) continue;
    if (depth > most) return true;
    for (const inner of Object.values(value)) rest.push({ value: inner, depth: depth + 1 });
  }
  return false;
}

/**
 * Returns the number of values in a parsed JSON value, including itself. Iterative, so that deep nesting cannot
 * overflow the stack.
 */
export function countValues(root: JsonValue): number {
  let values = 0;
  const rest = [root];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    values++;
    if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) rest.push(inner);
  }
  return values;
}
