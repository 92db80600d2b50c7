import { beginsBlock, endOfSpan } from './code.js';
import type { Reading, Step } from './step.js';

type Found<T> = T | 'more' | null;

/**
 * Maximum nesting of brackets in a link, and of parentheses in its URL. Deeper ones are plain text: otherwise, each
 * bracket of a long run would trigger a scan to the end of the text.
 */
const MAX_DEPTH = 8;

const isNumber = (label: string): boolean => /^\d+$/.test(label);

/**
 * Reads `[`: a marker, a link, a link definition, or plain text. A link with an unknown URL is replaced by its
 * text, which is read again. `guardInside` guards the text of a link that is kept.
 */
export function readBracket(reading: Reading, guardInside: (words: string) => void): Step {
  const { text, final, out, isKnownUrl } = reading;
  const close = endOfLabel(reading, 0);
  if (close === 'more') return 'more';
  if (close === null) return literally(reading);
  if (close + 1 === text.length && !final) return 'more';
  const label = text.slice(1, close);
  const next = text[close + 1];
  if (next === '(') {
    const target = readTarget(text, close + 1, final);
    if (target === 'more') return 'more';
    if (target === null) return isNumber(label) ? readMarker(reading, label) : literally(reading);
    if (!isKnownUrl(target.url)) return { read: target.end, again: label };
    out.literal('[');
    guardInside(label);
    out.checked(`](${target.raw})`);
    return { read: target.end };
  }
  if (next === ':' && beginsBlock(out.line())) {
    const definition = readDefinition(reading, close, label);
    if (definition !== null) return definition;
  }
  return isNumber(label) ? readMarker(reading, label) : literally(reading);
}

/** Reads `!`: an image is replaced by its alternative text. A marker may follow an exclamation mark. */
export function readExclamation(reading: Reading): Step {
  const { text, final, out } = reading;
  if (text.length === 1 && !final) return 'more';
  const plain = (): Step => {
    out.literal('!');
    return { read: 1 };
  };
  if (text[1] !== '[') return plain();
  const close = endOfLabel(reading, 1);
  if (close === 'more') return 'more';
  if (close === null) return plain();
  if (close + 1 === text.length && !final) return 'more';
  const label = text.slice(2, close);
  if (text[close + 1] === '(') {
    const target = readTarget(text, close + 1, final);
    if (target === 'more') return 'more';
    return target === null ? plain() : { read: target.end, again: label };
  }
  if (text[close + 1] === '[') {
    const end = text.indexOf(']', close + 2);
    if (end < 0 && !final) return 'more';
    // A marker or a link reference follows.
    if (!/^\[\d+\]/.test(text.slice(close + 1)))
      return { read: end < 0 ? text.length : end + 1, again: label };
    return { read: close + 1, again: label };
  }
  return isNumber(label) ? plain() : { read: close + 1, again: label };
}

function readMarker({ text, out, isSource }: Reading, number: string): Step {
  if (isSource(number)) out.marker(number);
  else out.dropBlank();
  return { read: text.indexOf(']') + 1 };
}

function literally({ out }: Reading): Step {
  out.literal('[');
  return { read: 1 };
}

/** Reads `[label]: url` at the start of a line. Removes an unknown URL. Null if no URL follows. */
function readDefinition(
  { text, final, out, isKnownUrl }: Reading,
  close: number,
  label: string,
): Step | null {
  const rest = text.slice(close + 2);
  const target = /^[ \t]*\n?[ \t]*(?:<([^<>\n]*)>|(\S+))/.exec(rest);
  if ((target === null || target[0].length === rest.length) && !final) return 'more';
  const url = target?.[1] ?? target?.[2] ?? '';
  const end = close + 2 + (target?.[0].length ?? 0);
  if (!isNumber(label) && isKnownUrl(url)) {
    out.checked(text.slice(0, end));
    return { read: end };
  }
  if (!/^(?:[a-z][a-z0-9+.-]*:|[/#?.]|www\.)/i.test(url)) return null;
  // Read it again as plain text.
  return { read: end, again: `[${label}] ` };
}

/** Returns whether a blank line, which ends the paragraph, follows the line break at `at`. */
const blankLine = (text: string, at: number): boolean => /^\n[ \t]*\n/.test(text.slice(at, at + 200));

/** Returns the position of the bracket that closes the bracket at `open`; null if the paragraph has none. */
function endOfLabel({ text, final, code }: Reading, open: number): Found<number> {
  let depth = 0;
  for (let at = open; at < text.length; at++) {
    const sign = text[at];
    if (sign === '\\') at++;
    else if (sign === '[') {
      if (depth++ === MAX_DEPTH) return null;
    } else if (sign === ']') {
      depth--;
      if (depth === 0) return at;
    } else if (sign === '`') {
      const run = /^`+/.exec(text.slice(at))?.[0] ?? '`';
      const end = code.trusted && code.spansTrusted ? endOfSpan(text.slice(at), run, final) : null;
      if (end === 'more') return 'more';
      at += (end ?? run.length) - 1;
    } else if (sign === '\n' && blankLine(text, at)) return null;
  }
  return final ? null : 'more';
}

/** Reads a link's parentheses: the destination, the text around it, and the end. */
function readTarget(
  text: string,
  open: number,
  final: boolean,
): Found<{ url: string; raw: string; end: number }> {
  const unfinished = final ? null : 'more';
  const blanks = (at: number): number =>
    at + (/^[ \t]*\n?[ \t]*/.exec(text.slice(at, at + 200))?.[0].length ?? 0);
  const start = blanks(open + 1);
  if (start >= text.length) return unfinished;
  const stop = text[start] === '<' ? endOfAngled(text, start) : endOfPlain(text, start);
  if (stop === null) return null;
  if (stop >= text.length) return unfinished;
  const raw = text.slice(start, stop);
  const url = raw.startsWith('<') ? raw.slice(1, -1) : raw;
  let at = blanks(stop);
  const quote = text[at];
  if (at > stop && (quote === '"' || quote === "'" || quote === '(')) {
    const close = quote === '(' ? ')' : quote;
    for (at++; at < text.length && text[at] !== close; at++) {
      if (text[at] === '\\') at++;
      else if (quote === '(' && text[at] === '(') return null;
      else if (text[at] === '\n' && blankLine(text, at)) return null;
    }
    at = blanks(at + 1);
  }
  if (at >= text.length) return unfinished;
  return text[at] === ')' ? { url, raw, end: at + 1 } : null;
}

/** Returns the position after the closing angle bracket; the end of the text if the bracket has not arrived yet. */
function endOfAngled(text: string, start: number): number | null {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '>') return at + 1;
    if (text[at] === '<' || text[at] === '\n') return null;
  }
  return text.length;
}

/** Returns the end of a URL without angle brackets; null if its parentheses are nested too deeply. */
function endOfPlain(text: string, start: number): number | null {
  let depth = 0;
  for (let at = start; at < text.length; at++) {
    const sign = text[at] ?? '';
    if (sign === '\\') at++;
    else if (sign === '(') {
      if (depth++ === MAX_DEPTH) return null;
    } else if (sign === ')' && depth-- === 0) return at;
    else if (/\s/.test(sign)) return at;
  }
  return text.length;
}
