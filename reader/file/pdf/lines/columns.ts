import type { Cell, TextLine } from './text-lines.js';
import { CELL_GAP, isMostlyRightToLeft } from './word-order.js';

/** Minimum number of lines in a column that have lines beside them. */
const MIN_LINES = 5;
/** Number of strips into which the page's width is divided. */
const STEPS = 600;
/** Maximum share of rows that cross a gutter, among the rows with text on both sides. */
const CROSSING_SHARE = 0.05;
const GUTTER_SIZE = 0.8;
/** Running text fills this share of its column in at least half of its lines. Table values do not. */
const FILLED_SHARE = 0.5;
const MIN_CHARS = 14;
const MIN_WIDE_CHARS = 7;
/** A column must have a line in this share of the rows with several segments. */
const BESIDE_SHARE = 0.5;
/**
 * If the drawing order switches columns at most this often per part of a column, the columns are already drawn one
 * after the other.
 */
const TURNS_PER_PART = 3;

const wide = /[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3]/;

interface Segment extends Cell {
  line: TextLine;
  /** Index of the column from the left, or ACROSS if the segment spans columns. */
  column: number;
}

interface Gutter {
  start: number;
  end: number;
}

const ACROSS = -1;

/**
 * Orders the lines of running-text columns if the drawing order switches between them. Null if there are no such
 * columns. A gutter is a strip that is empty in all rows with text on both sides.
 */
export function orderByGutters(lines: readonly TextLine[]): TextLine[] | null {
  if (lines.length < MIN_LINES || lines.some((line) => line.turn !== lines[0]?.turn)) return null;
  if (lines.filter(isShared).length < MIN_LINES) return null;
  const drawn = lines.flatMap((line) => line.cells.map((cell) => ({ ...cell, line, column: ACROSS })));
  const rows = rowsOf(drawn);
  const shared = rows.filter((row) => row.length > 1);
  if (shared.length < MIN_LINES) return null;
  const gutters = guttersOf(shared);
  if (gutters.length === 0) return null;
  for (const segment of drawn) segment.column = columnOf(segment, gutters);
  const columns = Array.from({ length: gutters.length + 1 }, (_, column) =>
    drawn.filter((segment) => segment.column === column),
  );
  if (!columns.every((column) => isRunningText(column, shared))) return null;
  const bands = bandsOf(rows);
  if (!isInterleaved(drawn, columns.length * bands.length)) return null;
  const isRightToLeft = isMostlyRightToLeft(
    columns.flatMap((column) => column.map(({ text }) => text)).join(''),
  );
  return bands.flatMap((band) => inColumns(band, columns.length, isRightToLeft));
}

/** Returns whether the line has a gap, or another line beside it. On most pages, no line does. */
function isShared({ cells, v, size }: TextLine, at: number, lines: readonly TextLine[]): boolean {
  return cells.length > 1 || Math.abs(v - (lines[at - 1]?.v ?? v - size)) < 0.3 * size;
}

/** Groups segments into rows by baseline, from the top. The drawing order within a row is kept. */
function rowsOf(drawn: readonly Segment[]): Segment[][] {
  const fromTop = [...drawn].sort((one, other) => other.line.v - one.line.v);
  const rows: Segment[][] = [];
  let baseline = Number.POSITIVE_INFINITY;
  for (const segment of fromTop) {
    const row = rows.at(-1);
    if (row !== undefined && baseline - segment.line.v < 0.3 * segment.line.size) row.push(segment);
    else {
      rows.push([segment]);
      baseline = segment.line.v;
    }
  }
  return rows;
}

function guttersOf(rows: readonly (readonly Segment[])[]): Gutter[] {
  const segments = rows.flat();
  const left = segments.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY);
  const right = segments.reduce((most, { end }) => Math.max(most, end), Number.NEGATIVE_INFINITY);
  const step = (right - left) / STEPS;
  if (!(step > 0)) return [];
  const changes = new Int32Array(STEPS + 2);
  const at = (x: number): number => Math.min(STEPS, Math.max(0, Math.round((x - left) / step)));
  for (const { start, end } of segments) {
    const [from, to] = [at(start), Math.max(at(start) + 1, at(end))];
    changes[from] = (changes[from] ?? 0) + 1;
    changes[to] = (changes[to] ?? 0) - 1;
  }
  const sizes = segments.map(({ line }) => line.size).sort((one, other) => one - other);
  const narrowest = GUTTER_SIZE * (sizes[sizes.length >> 1] ?? 1);
  const gutters: Gutter[] = [];
  let covered = 0;
  let from = -1;
  for (let place = 0; place < STEPS; place++) {
    covered += changes[place] ?? 0;
    if (covered <= CROSSING_SHARE * rows.length) {
      if (from < 0) from = place;
    } else if (from >= 0) {
      const gutter = { start: left + from * step, end: left + place * step };
      if (from > 0 && gutter.end - gutter.start >= narrowest) gutters.push(gutter);
      from = -1;
    }
  }
  return gutters;
}

function columnOf({ start, end, line }: Segment, gutters: readonly Gutter[]): number {
  const isOver = gutters.some((gutter) => start < gutter.start - line.size && end > gutter.end + line.size);
  if (isOver) return ACROSS;
  const middle = (start + end) / 2;
  return gutters.filter((gutter) => middle > (gutter.start + gutter.end) / 2).length;
}

function isRunningText(column: readonly Segment[], shared: readonly (readonly Segment[])[]): boolean {
  if (column.length < MIN_LINES) return false;
  const [first] = column;
  const id = first?.column ?? ACROSS;
  const beside = shared.filter((row) => row.some((segment) => segment.column === id)).length;
  if (beside < BESIDE_SHARE * shared.length) return false;
  const left = column.reduce((least, { start }) => Math.min(least, start), Number.POSITIVE_INFINITY);
  const right = column.reduce((most, { end }) => Math.max(most, end), Number.NEGATIVE_INFINITY);
  const full = column.filter(
    ({ start, end, text }) =>
      end - start >= FILLED_SHARE * (right - left) &&
      text.length >= (wide.test(text) ? MIN_WIDE_CHARS : MIN_CHARS),
  );
  return 2 * full.length >= column.length;
}

/** Splits the page at lines that span several columns. */
function bandsOf(rows: readonly (readonly Segment[])[]): Segment[][] {
  const bands: Segment[][] = [];
  let wasAcross = true;
  for (const row of rows) {
    const isAcross = row.some(({ column }) => column === ACROSS);
    const band = bands.at(-1);
    if (band === undefined || isAcross !== wasAcross) bands.push([...row]);
    else band.push(...row);
    wasAcross = isAcross;
  }
  return bands;
}

/** Returns whether the drawing order switches columns more often than necessary. */
function isInterleaved(drawn: readonly Segment[], parts: number): boolean {
  const order = drawn.map(({ column }) => column).filter((column) => column !== ACROSS);
  const turns = order.filter((column, i) => i > 0 && column !== order[i - 1]).length;
  return turns > TURNS_PER_PART * parts;
}

function inColumns(band: readonly Segment[], columns: number, isRightToLeft: boolean): TextLine[] {
  const ids = Array.from({ length: columns }, (_, id) => (isRightToLeft ? columns - 1 - id : id));
  return [ACROSS, ...ids].flatMap((id) => linesOf(band.filter(({ column }) => column === id)));
}

/** Returns the lines of one column. Consecutive segments of the same line are merged. */
function linesOf(column: readonly Segment[]): TextLine[] {
  const lines: { segments: Segment[]; line: TextLine }[] = [];
  for (const segment of column) {
    const last = lines.at(-1);
    if (last?.line === segment.line) last.segments.push(segment);
    else lines.push({ segments: [segment], line: segment.line });
  }
  return lines.map(({ segments, line }) => {
    if (segments.length === line.cells.length) return line;
    let text = '';
    let tabular = false;
    for (const [i, segment] of segments.entries()) {
      const previous = segments[i - 1];
      const isCell = previous !== undefined && (segment.start - previous.end) / line.size > CELL_GAP;
      text += `${previous === undefined ? '' : isCell ? '\t' : ' '}${segment.text}`;
      tabular ||= isCell;
    }
    const start = Math.min(...segments.map((segment) => segment.start));
    const end = Math.max(...segments.map((segment) => segment.end));
    return { ...line, text, start, end, tabular, cells: segments };
  });
}
