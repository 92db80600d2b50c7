import type { Piece } from './piece.js';
import { isMostlyRightToLeft } from './word-order.js';

/** Vertical lines that divide the cells of tables. */
export interface Dividers {
  /** Returns whether a line is between two neighbouring pieces. */
  areDivided(one: Piece, other: Piece): boolean;
  /** Returns the positions of the lines that cross the piece, from the left. */
  within(piece: Piece): readonly number[];
}

export const noDividers: Dividers = { areDivided: () => false, within: () => [] };

/** Maximum distance, in characters, between a dividing line and the blank at which the text is divided. */
const MAX_OFFSET = 4;

/** Divides a piece that pdf.js has joined across cells, at the blanks nearest to the dividing lines. */
export function dividedPieces(piece: Piece, places: readonly number[]): Piece[] {
  const isRightToLeft = isMostlyRightToLeft(piece.text);
  let last = piece;
  const pieces: Piece[] = [];
  for (const place of isRightToLeft ? places.toReversed() : places) {
    const share = (place - last.start) / (last.end - last.start);
    const at = blankNear(last.text, (isRightToLeft ? 1 - share : share) * last.text.length);
    if (at === null) continue;
    const [left, right] = [
      { ...last, end: place },
      { ...last, start: place },
    ];
    const [before, after] = isRightToLeft ? [right, left] : [left, right];
    pieces.push({ ...before, text: last.text.slice(0, at) });
    last = { ...after, text: last.text.slice(at + 1), blank: 0 };
  }
  return [...pieces, last];
}

function blankNear(text: string, place: number): number | null {
  const [before, after] = [text.lastIndexOf(' ', place), text.indexOf(' ', place)];
  const at = after < 0 || (before > 0 && place - before <= after - place) ? before : after;
  return at > 0 && at < text.length - 1 && Math.abs(at - place) <= MAX_OFFSET ? at : null;
}
