import type { TextLine } from '../lines/text-lines.js';
import { besidePageNumber, isRoman } from './page-numbers.js';

/** A running head appears at the same place on at least this many pages. */
const MIN_PAGES = 3;
/** Maximum lines of a running head or foot. */
const MAX_LINES = 3;
/** A line of smaller letters does not belong to the text above or below it. */
const SMALL_SIZE = 0.93;
/** A line of larger letters is a heading. */
const MAX_RELATIVE_SIZE = 1.12;
/** Height of the margins, as a share of the page's height. */
const MARGIN = 0.12;
/** The same for a line that is only a number: page numbers may lie farther inside. */
const NUMBER_MARGIN = 0.2;
/** Minimum distance of a line from the text of its page, in usual distances of lines. Nearer lines belong to the text. */
const APART = 1.25;
/** Minimum share of the repetitions that are apart from the text. */
const APART_SHARE = 0.5;
/** Minimum share of pages that repeat a line at the place of a running head. */
const PLACE_SHARE = 0.5;
/** Minimum share of these pages on which the number grows with the page. */
const COUNTING_SHARE = 0.8;

export interface PageLines {
  lines: readonly TextLine[];
  /** Heights of the lower and upper edges of the page. */
  bottom: number;
  top: number;
  /** Notes and comments on the page. */
  remarks?: readonly string[];
}

interface Edge {
  page: number;
  line: TextLine;
  numbers: readonly number[];
  /** Whether there is space between the line and the text of the page. */
  isApart: boolean;
}

const digits = /\d{1,5}/g;

/**
 * Removes page numbers, and all but the first occurrence of each running head. A line is a repetition if it lies in the
 * margin, apart from the text, height and words are the same, and its numbers are the same or count the pages. Most pages
 * repeat a line at this height, though not always the same.
 */
export function withoutRunningHeads(pages: readonly PageLines[], textSize: number): (readonly TextLine[])[] {
  if (pages.length < MIN_PAGES) return pages.map(({ lines }) => lines);
  const edges = pages.map((page, at) => edgesOf(page, at, textSize));
  const groups = new Map<string, Edge[]>();
  for (const sides of edges) {
    for (const [side, candidates] of sides.entries()) {
      for (const edge of candidates) {
        if (edge.line.size > MAX_RELATIVE_SIZE * textSize) continue;
        const key = `${side} ${heightOf(edge)} ${patternOf(edge.line.text)}`;
        const group = groups.get(key);
        if (group === undefined) groups.set(key, [edge]);
        else group.push(edge);
      }
    }
  }
  const repetitions = [...groups.values()]
    .filter((group) => group.length >= MIN_PAGES)
    .map((group) => ({ group, kind: repetitionOf(group) }))
    .filter(({ kind }) => kind !== 'none');
  const places = new Map<number, Set<number>>();
  for (const { group } of repetitions) {
    for (const edge of group) {
      const own = places.get(heightOf(edge)) ?? new Set();
      places.set(heightOf(edge), own.add(edge.page));
    }
  }
  const written = pages.filter(({ lines }) => lines.length > 0).length;
  const repeated = new Set<TextLine>();
  /** First occurrences, and what remains of them without a page number. */
  const first = new Map<TextLine, TextLine>();
  for (const { group, kind } of repetitions) {
    const isUsual = group.some((edge) => (places.get(heightOf(edge))?.size ?? 0) >= PLACE_SHARE * written);
    if (!isUsual) continue;
    for (const { line } of group) repeated.add(line);
    const [line] = group.map((edge) => edge.line);
    if (line === undefined) continue;
    const kept = kind === 'words' ? line : withoutPageNumber(line);
    if (kept !== null) first.set(line, kept);
  }
  return pages.map(({ lines }, page) => {
    const gone = new Set<TextLine>();
    for (const candidates of edges[page] ?? []) {
      for (const { line } of candidates) {
        if (!repeated.has(line)) break;
        if (!first.has(line)) gone.add(line);
      }
    }
    const rest = lines.filter((line) => !gone.has(line)).map((line) => first.get(line) ?? line);
    // Keep the lines if the page has no others.
    return rest.length === 0 ? lines : rest;
  });
}

/** Returns the outermost lines in the upper and lower margins of a page, starting at the edge. */
function edgesOf({ lines, bottom, top }: PageLines, page: number, textSize: number): [Edge[], Edge[]] {
  const marginOf = ({ text }: TextLine): number => (isNumber(text) ? NUMBER_MARGIN : MARGIN) * (top - bottom);
  const upright = lines.filter((line) => line.turn === 0).sort((one, other) => other.v - one.v);
  const gap = APART * usualDistance(upright);
  const fromBottom = upright.slice(-MAX_LINES - 1).reverse();
  const edges = (fromEdge: readonly TextLine[], isInMargin: (line: TextLine) => boolean): Edge[] => {
    const apart = fromEdge.findLastIndex(
      (line, at) =>
        at < MAX_LINES && Math.abs(line.v - (fromEdge[at + 1]?.v ?? Number.POSITIVE_INFINITY)) > gap,
    );
    return fromEdge
      .slice(0, MAX_LINES)
      .map((line, at) => ({
        page,
        line,
        numbers: numbersOf(line.text),
        isApart: at <= apart || line.size < SMALL_SIZE * textSize,
      }))
      .filter(({ line }) => isInMargin(line));
  };
  return [
    edges(upright.slice(0, MAX_LINES + 1), (line) => line.v > top - marginOf(line)),
    edges(fromBottom, (line) => line.v < bottom + marginOf(line)),
  ];
}

/** Returns the median distance between lines below each other. */
function usualDistance(upright: readonly TextLine[]): number {
  const distances = upright
    .map((line, at) => (upright[at - 1]?.v ?? line.v) - line.v)
    .filter((distance, at) => distance > 0.5 * (upright[at]?.size ?? 0))
    .sort((one, other) => one - other);
  return distances[distances.length >> 1] ?? 0;
}

/** Returns a line without its page number; null if it has no other words. */
function withoutPageNumber(line: TextLine): TextLine | null {
  const text = besidePageNumber(line.text) ?? '';
  return /\p{L}{2}/u.test(text) ? { ...line, text } : null;
}

const heightOf = ({ line }: Edge): number => Math.round(line.v);

const isNumber = (text: string): boolean => /^\P{L}*\d{1,5}\P{L}*$/u.test(text) || isRoman(text);

const patternOf = (text: string): string => (isRoman(text) ? '#' : text.replace(digits, '#'));

function numbersOf(text: string): number[] {
  if (isRoman(text)) return [romanValue(text.toLowerCase())];
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
  const [one] = group;
  const isOnlyNumber = isNumber(one?.line.text ?? '');
  const apart = group.filter(({ isApart }) => isApart).length;
  if (!isOnlyNumber && apart < APART_SHARE * group.length) return 'none';
  const texts = new Set(group.map(({ line }) => line.text));
  if (texts.size === 1) return 'words';
  for (const place of one?.numbers.keys() ?? []) {
    const offsets = new Map<number, number>();
    for (const { page, numbers } of group) {
      const offset = (numbers[place] ?? 0) - page;
      offsets.set(offset, (offsets.get(offset) ?? 0) + 1);
    }
    if (Math.max(...offsets.values()) < COUNTING_SHARE * group.length) continue;
    if (isOnlyNumber || besidePageNumber(one?.line.text ?? '', place) !== null) return 'numbers';
  }
  return 'none';
}
