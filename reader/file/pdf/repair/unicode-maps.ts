import { symbolOf } from '../../../symbol-fonts.js';

const charOfOneByte = /<[\da-f]{2}>\s*<(?:fffd|0000)>/gi;
const charOfTwoBytes = /(<[\da-f]{4}>\s*)<0000>/gi;
const range = /<([\da-f]{1,8})>\s*<([\da-f]{1,8})>\s*<([\da-f]{4})>/gi;
const charOfSymbol = /(<[\da-f]{1,8}>\s*)<(?:00|f0)([\da-f]{2})>/gi;
const rangeOfOneByte = /<[\da-f]{2}>\s*<[\da-f]{2}>\s*<(?:fffd|0000)>/gi;

/** Changes the lines of all sections of a kind, in linear time. */
function inSections(map: string, kind: 'bfchar' | 'bfrange', change: (lines: string) => string): string {
  const parts: string[] = [];
  let done = 0;
  for (;;) {
    const begin = map.indexOf(`begin${kind}`, done);
    const end = begin < 0 ? -1 : map.indexOf(`end${kind}`, begin);
    if (end < 0) return parts.join('') + map.slice(done);
    const from = begin + `begin${kind}`.length;
    parts.push(map.slice(done, from), change(map.slice(from, end)));
    done = end;
  }
}

/**
 * Removes the codes of a ToUnicode map (ISO 32000-1, 9.10.3) that it maps to no character, so that the encoding of the
 * font counts. Fonts with codes of two bytes have no other encoding: their codes map to U+FFFD.
 */
export function withoutMeaningless(map: string): string {
  const chars = inSections(map, 'bfchar', (lines) =>
    lines.replace(charOfOneByte, '').replace(charOfTwoBytes, '$1<fffd>'),
  );
  return inSections(chars, 'bfrange', (lines) => lines.replace(rangeOfOneByte, ''));
}

/** Maximum codes of one range. */
const MAX_RANGE = 256;

/** Returns a map to the characters that a symbol font shows, from a map to its codes. */
export function withSymbols(map: string, font: string): string {
  const chars = inSections(map, 'bfrange', (lines) =>
    lines.includes('[')
      ? lines
      : ` endbfrange beginbfchar${lines.replace(range, charsOfRange)}endbfchar 0 beginbfrange `,
  );
  return inSections(chars, 'bfchar', (lines) =>
    lines.replace(charOfSymbol, (_, code: string, low: string) => code + shownBy(low, font)),
  );
}

function shownBy(low: string, font: string): string {
  const shown = symbolOf(Number.parseInt(low, 16), font) || '\ufffd';
  return `<${Buffer.from(shown, 'utf16le').swap16().toString('hex')}>`;
}

function charsOfRange(all: string, low: string, high: string, to: string): string {
  const [first = 0, last = 0, target = 0] = [low, high, to].map((hex) => Number.parseInt(hex, 16));
  if (last < first || last - first >= MAX_RANGE) return all;
  return Array.from({ length: last - first + 1 }, (_, i) => {
    const code = (first + i).toString(16).padStart(low.length, '0');
    return `<${code}> <${(target + i).toString(16).padStart(4, '0')}>`;
  }).join('\n');
}

const charOfCluster = /(<[\da-f]{1,8}>\s*)<((?:[\da-f]{4}){2,8})>/gi;
/** First code point of a plane for private use, and the number of its code points. */
const PRIVATE_PLANE = 0x100000;
const PRIVATE_CODES = 0xfffd;

/**
 * Replaces letters with marks, drawn as one glyph, by private-use characters, and adds them to the list. pdf.js takes a
 * glyph with a mark for one without width, and would put a space after it.
 */
export const withClusterCodes = (map: string, clusters: string[]): string =>
  inSections(map, 'bfchar', (lines) =>
    lines.replace(charOfCluster, (line, code: string, hex: string) => {
      const cluster = Buffer.from(hex, 'hex').swap16().toString('utf16le');
      if (!/^\P{M}.*\p{Mn}/su.test(cluster) || clusters.length >= PRIVATE_CODES) return line;
      const stand = String.fromCodePoint(PRIVATE_PLANE + clusters.push(cluster) - 1);
      return `${code}<${Buffer.from(stand, 'utf16le').swap16().toString('hex')}>`;
    }),
  );

/** Returns the text with letters instead of the private-use characters. */
export const withClusters = (text: string, clusters: readonly string[]): string =>
  clusters.length === 0
    ? text
    : text.replace(
        /[\u{100000}-\u{10fffd}]/gu,
        (char) => clusters[(char.codePointAt(0) ?? 0) - PRIVATE_PLANE] ?? char,
      );
