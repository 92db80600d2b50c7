import { plainShifts, withShift } from '../../../shifted-text.js';
import type { Table } from '../tables/table-text.js';
import { type Dividers, dividedPieces, noDividers } from './dividers.js';
import { composeAccents, isLetterSpaced, namedForms, repairRightToLeft, unfoldForms } from './letters.js';
import type { Piece } from './piece.js';
import { shiftsOf } from './shifted-pieces.js';
import { CELL_GAP, GUTTER_GAP, inReadingOrder, isMostlyRightToLeft } from './word-order.js';

/** Maximum offset, in letter heights, between the copies of a text that is drawn twice to look bold. */
const SHIFT = 0.08;
/** Number of positions kept per text. A copy is drawn immediately or at the end of the line. */
const MAX_PLACES = 16;

/** Returns a function that detects text drawn over the same text of a page. */
function createOverprints(): (text: string, x: number, y: number, size: number) => boolean {
  const drawn = new Map<string, (readonly [x: number, y: number])[]>();
  return (text, x, y, size) => {
    const places = drawn.get(text) ?? [];
    const near = SHIFT * size;
    if (places.some(([otherX, otherY]) => Math.abs(otherX - x) < near && Math.abs(otherY - y) < near)) {
      return true;
    }
    places.push([x, y]);
    if (places.length > MAX_PLACES) places.shift();
    drawn.set(text, places);
    return false;
  };
}

/** A piece of text from pdf.js. The transform places its baseline in page space. */
export interface TextItem {
  str: string;
  transform: readonly number[];
  width: number;
  height: number;
  hasEOL: boolean;
  /** Identifies the font within a document. */
  fontName?: string;
}

/** A part of a line with wide gaps on both sides. */
export interface Cell {
  text: string;
  start: number;
  end: number;
}

/** A line in rotated coordinates: text runs along `u`, and `v` grows upwards. */
export interface TextLine {
  text: string;
  start: number;
  end: number;
  v: number;
  size: number;
  /** Direction of the baseline, in quarter turns. */
  turn: number;
  /** True if the line contains gaps wider than a word space, or leader dots, as in tables and lists of contents. */
  tabular: boolean;
  /** Font of the line; empty if the font changes within the line. */
  font: string;
  /** Parts of the line, split at gaps that may lie between columns. */
  cells: readonly Cell[];
  /** Set if the line replaces a whole table. Then `v` and `size` are those of the table's first line. */
  table?: Table;
}

/** Minimum vertical distance between lines of neighbouring cells, in letter heights. */
const OTHER_LINE = 0.3;

/** Groups the items of a page into lines, in drawing order. */
export function linesOf(items: Iterable<TextItem>, dividers: Dividers = noDividers): TextLine[] {
  const lines: TextLine[] = [];
  const isOverprint = createOverprints();
  let pieces: Piece[] = [];
  let blank = 0;
  const endLine = () => {
    const line = lineOf(pieces, dividers);
    if (line) lines.push(line);
    pieces = [];
    blank = 0;
  };
  for (const item of items) {
    const size = Math.hypot(item.transform[2] ?? 0, item.transform[3] ?? 0) || item.height || 1;
    const [x = 0, y = 0] = item.transform.slice(4);
    if (item.str.trim() === '') {
      if (item.str !== '') blank = Math.max(blank, item.width / size, 0.1);
    } else if (!isOverprint(item.str, x, y, size)) {
      const piece = pieceOf(item, size, blank);
      const previous = pieces.at(-1);
      const gap = previous ? (piece.start - previous.end) / size : 0;
      if (gap > GUTTER_GAP) piece.blank = gap;
      // pdf.js joins lines that are less than one letter height apart.
      const isLower = previous && Math.abs(piece.v - previous.v) > OTHER_LINE * size;
      // Text of a form follows without an end of line.
      const isOtherLine = previous && Math.abs(piece.v - previous.v) > Math.max(previous.size, size);
      if (isOtherLine || (isLower && dividers.areDivided(previous, piece))) endLine();
      pieces.push(...dividedPieces(piece, dividers.within(piece)));
      blank = 0;
    }
    if (item.hasEOL) endLine();
  }
  endLine();
  return lines;
}

function pieceOf(item: TextItem, size: number, blank: number): Piece {
  const [a = 1, b = 0, , , x = 0, y = 0] = item.transform;
  const turn = ((Math.round(Math.atan2(b, a) / (Math.PI / 2)) % 4) + 4) % 4;
  const [u, v] = turn === 0 ? [x, y] : turn === 1 ? [y, -x] : turn === 2 ? [-x, -y] : [-y, x];
  const text = unfoldForms(namedForms(item.str));
  return { text, start: u, end: u + item.width, v, size, turn, blank, font: item.fontName ?? '' };
}

function lineOf(pieces: readonly Piece[], { areDivided }: Dividers): TextLine | null {
  const first = pieces[0];
  if (!first) return null;
  const ordered = inReadingOrder(pieces);
  const isSpaced = ordered.some((piece) => isLetterSpaced(piece.text, 5));
  const shifts = shiftsOf(ordered);
  let text = '';
  let tabular = false;
  const cells: Cell[] = [];
  let cell = { from: 0, start: first.start, end: first.end };
  const endCell = () => {
    const own = readable(text.slice(cell.from));
    if (own !== '') cells.push({ text: own, start: cell.start, end: cell.end });
  };
  for (const [i, piece] of ordered.entries()) {
    const divided = text !== '' && areDivided(ordered[i - 1] ?? piece, piece);
    const isCell = divided || (piece.blank > CELL_GAP && text !== '');
    const isApart = text !== '' && piece.blank > 0 && !/\s$/.test(text) && !/^\s/.test(piece.text);
    text += isCell ? '\t' : isApart ? ' ' : '';
    if (divided || (text !== '' && piece.blank > GUTTER_GAP)) {
      endCell();
      cell = { from: text.length, start: piece.start, end: piece.end };
    }
    cell.start = Math.min(cell.start, piece.start);
    cell.end = Math.max(cell.end, piece.end);
    const own = isSpaced && isLetterSpaced(piece.text, 2) ? piece.text.replaceAll(' ', '') : piece.text;
    text += withShift(shifts[i] ?? null, own);
    tabular ||= isCell;
  }
  const shown = readable(text);
  if (cell.from === 0) cells.push({ text: shown, start: cell.start, end: cell.end });
  else endCell();
  return {
    text: shown,
    start: pieces.reduce((least, piece) => Math.min(least, piece.start), first.start),
    end: pieces.reduce((most, piece) => Math.max(most, piece.end), first.end),
    v: first.v,
    size: pieces.reduce((most, piece) => Math.max(most, piece.size), first.size),
    turn: first.turn,
    tabular: tabular || /(?:\. ?){5}/.test(text),
    font: pieces.every((piece) => piece.font === first.font) ? first.font : '',
    cells,
  };
}

function readable(text: string): string {
  const shown = plainShifts(text)
    .replace(/ *\t */g, '\t')
    .trim();
  return isMostlyRightToLeft(shown) ? repairRightToLeft(shown) : composeAccents(shown);
}
