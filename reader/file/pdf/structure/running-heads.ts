import type { TextLine } from '../lines/text-lines.js';

/** A running head appears at the same place on at least this many pages. */
const MIN_PAGES = 3;
/** Maximum lines of a running head or foot. */
const MAX_LINES = 3;
/** A line of larger letters is a heading. */
const MAX_RELATIVE_SIZE = 1.12;
/** Minimum share of these pages on which the number grows with the page. */
const COUNTING_SHARE = 0.8;

interface Edge {
  page: number;
  line: TextLine;
  numbers: readonly number[];
}

const roman = /^[ivxlc]{1,7}$/i;
const digits = /\d{1,5}/g;

/**
 * Removes page numbers, and all but the first occurrence of each running head. A line is a repetition if height and
 * words are the same, and its numbers are the same or count the pages.
 */
export function withoutRunningHeads(
  pages: readonly (readonly TextLine[])[],
  textSize: number,
): (readonly TextLine[])[] {
  if (pages.length < MIN_PAGES) return [...pages];
  const edges = pages.map((lines, page) => edgesOf(lines, page));
  const groups = new Map<string, Edge[]>();
  for (const sides of edges) {
    for (const [side, candidates] of sides.entries()) {
      for (const edge of candidates) {
        if (edge.line.size > MAX_RELATIVE_SIZE * textSize) continue;
        const key = `${side} ${Math.round(edge.line.v)} ${patternOf(edge.line.text)}`;
        const group = groups.get(key);
        if (group === undefined) groups.set(key, [edge]);
        else group.push(edge);
      }
    }
  }
  const repeated = new Set<TextLine>();
  const first = new Set<TextLine>();
  for (const group of groups.values()) {
    const kind = group.length < MIN_PAGES ? 'none' : repetitionOf(group);
    if (kind === 'none') continue;
    for (const { line } of group) repeated.add(line);
    if (kind === 'words' && group[0] !== undefined) first.add(group[0].line);
  }
  return pages.map((lines, page) => {
    const gone = new Set<TextLine>();
    for (const candidates of edges[page] ?? []) {
      for (const { line } of candidates) {
        if (!repeated.has(line)) break;
        if (!first.has(line)) gone.add(line);
      }
    }
    const rest = lines.filter((line) => !gone.has(line));
    // Keep the lines if the page has no others.
    return rest.length === 0 ? lines : rest;
  });
}

/** Returns the outermost lines at the top and bottom of a page, starting at the edge. */
function edgesOf(lines: readonly TextLine[], page: number): [Edge[], Edge[]] {
  const upright = lines.filter((line) => line.turn === 0).sort((one, other) => other.v - one.v);
  const edge = (line: TextLine): Edge => ({ page, line, numbers: numbersOf(line.text) });
  return [upright.slice(0, MAX_LINES).map(edge), upright.slice(-MAX_LINES).reverse().map(edge)];
}

const patternOf = (text: string): string => (roman.test(text) ? '#' : text.replace(digits, '#'));

function numbersOf(text: string): number[] {
  if (roman.test(text)) return [romanValue(text.toLowerCase())];
  return (text.match(digits) ?? []).map(Number);
}

const values: Readonly<Record<string, number>> = { i: 1, v: 5, x: 10, l: 50, c: 100 };

function romanValue(numeral: string): number {
  let sum = 0;
  for (let at = 0; at < numeral.length; at++) {
    const value = values[numeral.charAt(at)] ?? 0;
    sum += value < (values[numeral.charAt(at + 1)] ?? 0) ? -value : value;
  }
  return sum;
}

/** Returns what the lines of one pattern have in common: the words, or the words and a page number. */
function repetitionOf(group: readonly Edge[]): 'words' | 'numbers' | 'none' {
  const texts = new Set(group.map(({ line }) => line.text));
  if (texts.size === 1) return 'words';
  const [one] = group;
  for (const place of one?.numbers.keys() ?? []) {
    const offsets = new Map<number, number>();
    for (const { page, numbers } of group) {
      const offset = (numbers[place] ?? 0) - page;
      offsets.set(offset, (offsets.get(offset) ?? 0) + 1);
    }
    if (Math.max(...offsets.values()) >= COUNTING_SHARE * group.length) return 'numbers';
  }
  return 'none';
}
