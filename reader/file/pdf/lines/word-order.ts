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
      ordered.push(...foreign, piece);
      foreign = [];
    }
  }
  ordered.push(...foreign);
  return ordered.map((piece, i) => {
    const previous = ordered[i - 1];
    const gap = previous ? Math.max(previous.start - piece.end, piece.start - previous.end) / piece.size : 0;
    return { ...piece, blank: gap > GUTTER_GAP ? gap : gap > JOINED_WORD_GAP ? WORD_GAP : 0 };
  });
}
