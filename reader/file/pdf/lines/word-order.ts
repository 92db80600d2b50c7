import type { Piece } from './piece.js';

/** Minimum gap between table columns, in letter heights. */
export const CELL_GAP = 1.6;
/** Minimum gap between columns of running text, in letter heights. */
export const GUTTER_GAP = 0.9;
/** Minimum gap between two words that were not drawn consecutively, in letter heights. */
const WORD_GAP = 0.1;
/** The same for scripts with joined letters. */
const JOINED_WORD_GAP = 0.05;

/** Returns the pieces of a line in reading order. */
export const inReadingOrder = (pieces: readonly Piece[]): readonly Piece[] =>
  isRightToLeft(pieces) ? rightToLeft(pieces) : leftToRight(pieces);

/** Returns whether most letters belong to a right-to-left script. */
export function isMostlyRightToLeft(text: string): boolean {
  const rtl = countOf(text, rtlLetters);
  return rtl > 0 && 2 * rtl > countOf(text, /\p{L}/gu);
}

/** Sorts words that were drawn out of order, unless some of them overlap. */
function leftToRight(pieces: readonly Piece[]): readonly Piece[] {
  const isOrdered = pieces.every(
    (piece, i) => piece.start >= (pieces[i - 1]?.start ?? piece.start) - piece.size,
  );
  if (isOrdered) return pieces;
  const sorted = [...pieces].sort((one, other) => one.start - other.start);
  const gaps = sorted.map((piece, i) => (piece.start - (sorted[i - 1]?.end ?? piece.start)) / piece.size);
  if (gaps.some((gap) => gap < -0.5)) return pieces;
  return sorted.map((piece, i) => {
    const gap = gaps[i] ?? 0;
    return { ...piece, blank: gap > WORD_GAP ? gap : 0 };
  });
}

const rtlLetters = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/g;
const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

const isRightToLeft = (pieces: readonly Piece[]): boolean =>
  pieces.length >= 2 && isMostlyRightToLeft(pieces.map((piece) => piece.text).join(''));

/** Orders a right-to-left line. Numbers and foreign words in it keep their order. */
function rightToLeft(pieces: readonly Piece[]): Piece[] {
  const fromRight = [...pieces].sort((one, other) => other.start - one.start);
  const ordered: Piece[] = [];
  let foreign: Piece[] = [];
  for (const piece of fromRight) {
    if (countOf(piece.text, rtlLetters) === 0) foreign.unshift(piece);
    else {
      ordered.push(...fromItsRight(foreign), piece);
      foreign = [];
    }
  }
  ordered.push(...fromItsRight(foreign));
  return ordered.map((piece, i) => {
    const previous = ordered[i - 1];
    const gap = previous ? Math.max(previous.start - piece.end, piece.start - previous.end) / piece.size : 0;
    return { ...piece, blank: gap > GUTTER_GAP ? gap : gap > JOINED_WORD_GAP ? WORD_GAP : 0 };
  });
}

/** Parts of a line that are read from left to right: foreign words up to the last, or a number. */
const leftToRightPart = /\p{L}(?:.*[\p{L}\p{N}])?|\p{Sc}?\p{N}(?:[.,:/٫٬-]?\p{N})*[%٪\p{Sc}]?/gu;
const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
const facing: Record<string, string> = { '(': ')', ')': '(', '[': ']', ']': '[', '{': '}', '}': '{' };

/**
 * Orders the pieces between two words of a right-to-left line, given from left to right. Each number and the foreign
 * words together keep their order; the signs beside them are read from right to left (Unicode Standard Annex 9).
 */
function fromItsRight(pieces: readonly Piece[]): Piece[] {
  let text = '';
  const begins = pieces.map((piece, i) => {
    const previous = pieces[i - 1];
    // A blank that belongs to no piece keeps two numbers apart.
    if (previous && piece.start - previous.end > WORD_GAP * piece.size) text += ' ';
    const begin = text.length;
    text += piece.text;
    return begin;
  });
  /** The pieces of a part of the text, from left to right. */
  const partOf = (from: number, to: number, turn = (letter: string) => letter): Piece[] =>
    pieces.flatMap((piece, i) => {
      const begin = begins[i] ?? 0;
      const first = Math.max(0, from - begin);
      const last = Math.min(piece.text.length, to - begin);
      if (first >= last) return [];
      const at = (letter: number) => piece.start + ((piece.end - piece.start) * letter) / piece.text.length;
      return [{ ...piece, text: turn(piece.text.slice(first, last)), start: at(first), end: at(last) }];
    });
  const parts: Piece[][] = [];
  let done = 0;
  const addSigns = (upTo: number) => {
    for (const { segment } of graphemes.segment(text.slice(done, upTo))) {
      parts.push(partOf(done, done + segment.length, (sign) => facing[sign] ?? sign));
      done += segment.length;
    }
  };
  for (const { 0: part, index } of text.matchAll(leftToRightPart)) {
    addSigns(index);
    done += part.length;
    parts.push(partOf(index, done));
  }
  addSigns(text.length);
  return parts.reverse().flat();
}
