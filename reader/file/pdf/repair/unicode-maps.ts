import { symbolOf } from '../../../symbol-fonts.js';

const charOfOneByte = /<[\da-f]{2}>\s*<(?:fffd|0000|\s*)>/gi;
const charOfTwoBytes = /(<[\da-f]{4}>\s*)<(?:0000|\s*)>/gi;
const range = /<([\da-f]{1,8})>\s*<([\da-f]{1,8})>\s*<([\da-f]{4})>/gi;
const charOfSymbol = /(<[\da-f]{1,8}>\s*)<(?:00|f0)([\da-f]{2})>/gi;
const rangeOfOneByte = /<[\da-f]{2}>\s*<[\da-f]{2}>\s*<(?:fffd|0000)>/gi;
/** Codes of one byte from the first on, with the character of each. */
const listOfOneByte = /<([\da-f]{2})>\s*<[\da-f]{2}>\s*\[((?:\s*<[\da-f]*>){1,256})\s*\]/gi;
/** A code of one byte that is mapped to a private-use character, or to a blank. */
const vagueOfOneByte = /<([\da-f]{2})>\s*<(?:e[\da-f]{3}|f[0-8][\da-f]{2}|0020|00a0)>/gi;

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
  return inSections(chars, 'bfrange', (lines) =>
    lines.replace(rangeOfOneByte, '').replace(listOfOneByte, withoutGaps),
  );
}

/** Returns a list of characters as one line for each, without the codes that have none. */
function withoutGaps(list: string, low: string, targets: string): string {
  if (!/<(?:fffd|0000|)>/i.test(targets)) return list;
  const first = Number.parseInt(low, 16);
  return (targets.match(/<[\da-f]*>/gi) ?? [])
    .map((target, i) => {
      const code = `<${(first + i).toString(16).padStart(2, '0')}>`;
      return /^<(?:fffd|0000|)>$/i.test(target) ? '' : `${code} ${code} ${target}`;
    })
    .join('\n');
}

/** Removes codes that a map of a font does not explain, although their glyphs have names. */
export const withoutVague = (map: string, isNamed: (code: number) => boolean): string =>
  inSections(map, 'bfchar', (lines) =>
    lines.replace(vagueOfOneByte, (line, code: string) => (isNamed(Number.parseInt(code, 16)) ? '' : line)),
  );

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

/** Returns the private-use character that replaces letters drawn as one glyph, and adds them to the list. */
export const placeholderFor = (letters: string, clusters: string[]): number =>
  clusters.length >= PRIVATE_CODES ? 0xfffd : PRIVATE_PLANE + clusters.push(letters) - 1;

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
