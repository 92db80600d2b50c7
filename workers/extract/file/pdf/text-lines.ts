/** A stretch of text as pdf.js reports it; the transform places its baseline in page space. */
export interface TextItem {
  str: string;
  transform: readonly number[];
  width: number;
  height: number;
  hasEOL: boolean;
}

/** One line in a frame that is turned so that its text runs along `u`; `v` grows upwards. */
export interface TextLine {
  text: string;
  start: number;
  end: number;
  v: number;
  size: number;
  /** Direction of the baseline, in quarter turns. */
  turn: number;
  /** Holds gaps wider than any word space, or leader dots: cells of a table, entries of a contents list. */
  tabular: boolean;
}

interface Piece {
  text: string;
  start: number;
  end: number;
  v: number;
  size: number;
  turn: number;
  /** Width of the blank before it, in letter heights; 0 where the words touch. */
  blank: number;
}

/** A gap of so many times the letter height separates columns of a table. */
const CELL_GAP = 1.6;

/** Puts the items of a page together to lines, in their order. */
export function linesOf(items: Iterable<TextItem>): TextLine[] {
  const lines: TextLine[] = [];
  let pieces: Piece[] = [];
  let blank = 0;
  const endLine = () => {
    const line = lineOf(pieces);
    if (line) lines.push(line);
    pieces = [];
    blank = 0;
  };
  for (const item of items) {
    const size = Math.hypot(item.transform[2] ?? 0, item.transform[3] ?? 0) || item.height || 1;
    if (item.str.trim() !== '') {
      const piece = pieceOf(item, size, blank);
      const previous = pieces.at(-1);
      const gap = previous ? (piece.start - previous.end) / size : 0;
      if (gap > CELL_GAP) piece.blank = gap;
      pieces.push(piece);
      blank = 0;
    } else if (item.str !== '') blank = Math.max(blank, item.width / size, 0.1);
    if (item.hasEOL) endLine();
  }
  endLine();
  return lines;
}

function pieceOf(item: TextItem, size: number, blank: number): Piece {
  const [a = 1, b = 0, , , x = 0, y = 0] = item.transform;
  const turn = ((Math.round(Math.atan2(b, a) / (Math.PI / 2)) % 4) + 4) % 4;
  const [u, v] = turn === 0 ? [x, y] : turn === 1 ? [y, -x] : turn === 2 ? [-x, -y] : [-y, x];
  return { text: unfoldForms(item.str), start: u, end: u + item.width, v, size, turn, blank };
}

/** Ligatures and the forms of letters that depend on their neighbours or on vertical writing become plain letters. */
const unfoldForms = (text: string): string =>
  text
    .replace(/[\u00a0\u2000-\u200a\u202f]/g, ' ')
    .replace(/[\ufb00-\ufb06\ufb13-\ufb17\ufb1d-\ufdff\ufe10-\ufe19\ufe30-\ufe48\ufe70-\ufefc]+/g, (forms) =>
      forms.normalize('NFKC'),
    );

function lineOf(pieces: readonly Piece[]): TextLine | null {
  const first = pieces[0];
  if (!first) return null;
  const ordered = isRightToLeft(pieces) ? rightToLeft(pieces) : pieces;
  let text = '';
  let tabular = false;
  for (const piece of ordered) {
    const isCell = piece.blank > CELL_GAP && text !== '';
    const isApart = text !== '' && piece.blank > 0 && !/\s$/.test(text) && !/^\s/.test(piece.text);
    text += isCell ? '\t' : isApart ? ' ' : '';
    text += piece.text;
    tabular ||= isCell;
  }
  return {
    text: text.replace(/ *\t */g, '\t').trim(),
    start: pieces.reduce((least, piece) => Math.min(least, piece.start), first.start),
    end: pieces.reduce((most, piece) => Math.max(most, piece.end), first.end),
    v: first.v,
    size: pieces.reduce((most, piece) => Math.max(most, piece.size), first.size),
    turn: first.turn,
    tabular: tabular || /(?:\. ?){5}/.test(text),
  };
}

const rtlLetters = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/g;
const countOf = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0;

function isRightToLeft(pieces: readonly Piece[]): boolean {
  if (pieces.length < 2) return false;
  const text = pieces.map((piece) => piece.text).join('');
  const rtl = countOf(text, rtlLetters);
  return rtl > 0 && 2 * rtl > countOf(text, /\p{L}/gu);
}

/** The words of a right-to-left line from right to left; numbers and foreign words between them keep their order. */
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
    return { ...piece, blank: gap > CELL_GAP ? gap : gap > 0.05 ? 0.1 : 0 };
  });
}
