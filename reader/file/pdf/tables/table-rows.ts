import type { Cell, TextLine } from '../lines/text-lines.js';

/** A part of a line in a possible table. */
export interface Segment extends Cell {
  line: TextLine;
  /** Position in the page's drawing order. */
  order: number;
}

/** Segments on one baseline, from the left. */
export type Row = readonly Segment[];

/** Minimum number of lines with cells beside each other on a page with a table. */
const MIN_LINES = 2;
/** A jump up by more than this begins another column of the page. Letter heights. */
const COLUMN_JUMP = 10;
/** A row with more segments is a drawing or spaced letters. */
export const MAX_COLUMNS = 50;
/** Number of rows after which the columns of a table are known. */
const MIN_ROWS = 3;
const SAME_BASELINE = 0.4;
/** Maximum distance between two rows of a table, in letter heights, and as a multiple of the table's usual distance. */
const MAX_DISTANCE = 3.5;
const MAX_UNUSUAL = 1.9;
/** Maximum distance between two lines of one cell, in letter heights. */
export const CELL_LEADING = 1.6;
/** Minimum distance between a running head and the text, in letter heights. */
const EDGE_DISTANCE = 1.9;
/** Maximum ratio between the letter heights of neighbouring rows. */
const ALIKE_SIZE = 1.2;
/** Maximum lines of a header above the first line with several cells. */
const MAX_HEADER_LINES = 3;

const listMark = /^(?:[•▪◦‣·●○■□–—*-]|\(?\d{1,3}[.)]|\(?[a-zA-Z][.)])$/;
const leaderDots = /(?:\. ?){5}/;

/** Returns whether the page has text beside other text, as every table does. */
export const hasRows = (lines: readonly TextLine[]): boolean => lines.filter(mayBeRow).length >= MIN_LINES;

/** Returns whether the line has several cells, or another line beside it. */
function mayBeRow({ cells, v, size }: TextLine, at: number, lines: readonly TextLine[]): boolean {
  return cells.length > 1 || Math.abs(v - (lines[at - 1]?.v ?? v - size)) < 0.4 * size;
}

/** Divides a page into parts that are drawn from top to bottom. */
export function flowsOf(lines: readonly TextLine[]): Segment[][] {
  const flows: Segment[][] = [];
  let order = 0;
  let previous: TextLine | undefined;
  for (const line of lines) {
    const isJump =
      previous === undefined ||
      line.turn !== previous.turn ||
      line.v - previous.v > COLUMN_JUMP * Math.max(line.size, previous.size);
    if (isJump) flows.push([]);
    for (const cell of line.cells) flows.at(-1)?.push({ ...cell, line, order: order++ });
    previous = line;
  }
  return flows;
}

/** Returns the rows of a flow, from the top, without running heads. List marks are joined to their items. */
export const rowsOf = (flow: readonly Segment[]): Row[] => withoutEdges(baselinesOf(flow).map(joinMark));

/** Groups segments into rows by baseline, from the top. */
export function baselinesOf(flow: readonly Segment[]): Row[] {
  const fromTop = [...flow].sort((one, other) => other.line.v - one.line.v);
  const rows: Segment[][] = [];
  for (const segment of fromTop) {
    const row = rows.at(-1);
    const [first] = row ?? [];
    const isBeside =
      row !== undefined &&
      first !== undefined &&
      first.line.v - segment.line.v < SAME_BASELINE * Math.min(first.line.size, segment.line.size);
    if (isBeside) row.push(segment);
    else rows.push([segment]);
  }
  return rows.map((row) => row.sort((one, other) => one.start - other.start));
}

/** Removes a running head and foot: rows with cells at the edge that are further away than the next row. */
function withoutEdges(rows: readonly Row[]): Row[] {
  const isApart = (edge: Row | undefined, next: Row | undefined, third: Row | undefined): boolean => {
    if (edge === undefined || next === undefined || third === undefined) return false;
    const distance = Math.abs(heightOf(edge) - heightOf(next));
    return (
      distance > EDGE_DISTANCE * sizeOf(edge) && distance > 1.5 * Math.abs(heightOf(next) - heightOf(third))
    );
  };
  const from = isApart(rows[0], rows[1], rows[2]) ? 1 : 0;
  const to = isApart(rows.at(-1), rows.at(-2), rows.at(-3)) ? -1 : rows.length;
  return rows.slice(from, to);
}

/** Joins the mark of a list item, which is not a cell, to its text. */
function joinMark(row: readonly Segment[]): Row {
  const [mark, item, ...others] = row;
  if (mark === undefined || item === undefined || !listMark.test(mark.text)) return row;
  return [{ ...item, text: `${mark.text} ${item.text}`, start: mark.start }, ...others];
}

export const heightOf = (row: Row): number => row[0]?.line.v ?? 0;
export const sizeOf = (row: Row): number => row.reduce((most, { line }) => Math.max(most, line.size), 1);

type Range = Pick<Cell, 'start' | 'end'>;

export const overlaps = (one: Range, other: Range): boolean =>
  Math.min(one.end, other.end) > Math.max(one.start, other.start);

/** Returns runs of consecutive rows with several cells. A run may include lines that fit into one column. */
export function runsOf(rows: readonly Row[]): Row[][] {
  const runs: Row[][] = [];
  let run: Row[] = [];
  let between: Row[] = [];
  const end = () => {
    if (run.length > 0) runs.push([...run, ...wrappedEnd(run, between)]);
    run = [];
    between = [];
  };
  for (const [at, row] of rows.entries()) {
    const last = between.at(-1) ?? run.at(-1);
    if (last !== undefined && !isNear(run, last, row)) end();
    const anchor = run.findLast(hasCells);
    if (hasCells(row)) {
      if (between.some((line) => !fitsColumn(line, row)) || isOtherTable(run, row)) end();
      if (run.length === 0) run.push(...headerAbove(rows, at));
      run.push(...between, row);
      between = [];
    } else if (anchor !== undefined && fitsColumn(row, anchor)) between.push(row);
    else end();
  }
  end();
  return runs;
}

/** Returns whether the row may belong to a table with several columns, and not to a list of contents. */
export const hasCells = (row: Row): boolean =>
  row.length > 1 && row.length <= MAX_COLUMNS && !row.some(({ text }) => leaderDots.test(text));

function isNear(run: readonly Row[], last: Row, row: Row): boolean {
  const size = Math.max(sizeOf(last), sizeOf(row));
  const distance = heightOf(last) - heightOf(row);
  if (distance > MAX_DISTANCE * size || size > ALIKE_SIZE * Math.min(sizeOf(last), sizeOf(row))) return false;
  const usual = usualDistance(run);
  return usual === null || distance <= Math.max(MAX_UNUSUAL * usual, CELL_LEADING * size);
}

/** Returns the median distance between rows; null for fewer than four. */
function usualDistance(rows: readonly Row[]): number | null {
  if (rows.length < 4) return null;
  const sample = rows.slice(-20);
  const distances = sample.slice(1).map((row, i) => heightOf(sample[i] ?? row) - heightOf(row));
  return distances.sort((one, other) => one - other)[distances.length >> 1] ?? null;
}

/** Returns whether a row has other columns than the rows above it. Headers may span columns. */
function isOtherTable(run: readonly Row[], row: Row): boolean {
  const above = run.slice(-MIN_ROWS).filter(hasCells);
  const last = above.at(-1);
  return above.length === MIN_ROWS && last !== undefined && !(fitsColumn(row, last) && fitsColumn(last, row));
}

const fitsColumn = (line: Row, anchor: Row): boolean =>
  line.every((segment) => anchor.filter((cell) => overlaps(segment, cell)).length < 2) &&
  !line.some(({ text }) => leaderDots.test(text));

/** Returns the lines below the last row that continue one of its cells. */
function wrappedEnd(run: readonly Row[], below: readonly Row[]): Row[] {
  const usual = usualDistance(run) ?? Number.POSITIVE_INFINITY;
  const wrapped: Row[] = [];
  let last = run.at(-1);
  for (const row of below) {
    const [segment] = row;
    if (last === undefined || segment === undefined) break;
    const distance = heightOf(last) - heightOf(row);
    const isNext = last.some((cell) => cell.order === segment.order - 1 && overlaps(cell, segment));
    const isTight = distance <= CELL_LEADING * sizeOf(row) && (isNext || distance < 0.8 * usual);
    if (!isTight) break;
    wrapped.push(row);
    last = row;
  }
  return wrapped;
}

/** Returns the lines directly above the first row that belong to the header of a column other than the first. */
function headerAbove(rows: readonly Row[], at: number): Row[] {
  const header: Row[] = [];
  const first = rows[at] ?? [];
  for (let above = at - 1; above >= 0 && header.length < MAX_HEADER_LINES; above--) {
    const row = rows[above] ?? [];
    const below = header[0] ?? first;
    const isTight = heightOf(row) - heightOf(below) <= CELL_LEADING * sizeOf(below);
    const isInside = row.every(({ start }) => start > (first[0]?.end ?? 0));
    if (!isTight || row.length !== 1 || !isInside || !fitsColumn(row, first)) break;
    header.unshift(row);
  }
  return header;
}
