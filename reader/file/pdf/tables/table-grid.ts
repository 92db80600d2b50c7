import { joinLine } from '../lines/join-line.js';
import { type Column, columnsUnder } from './table-columns.js';
import { CELL_LEADING, heightOf, overlaps, type Row, type Segment, sizeOf } from './table-rows.js';

export interface Grid {
  /** Cells by row and column. */
  rows: string[][];
  hasHeader: boolean;
  /** True if a row other than the header has several lines. */
  isWrapped: boolean;
  /** Share of rows that overlap the previous row, as parts of formulas do. */
  overlapping: number;
}

/** A table row with its text lines: several if a cell is wrapped. */
export type Band = Row[];

const MAX_HEADER_LINES = 4;
/** Maximum lines of a row. */
const MAX_LINES = 60;
/** Lines whose distance is below this share of the usual row distance belong to the same row. */
const TIGHT = 0.8;
/** Maximum distance between aligned edges, in letter heights. */
const ALIGNED = 0.4;
/** Minimum distance between rows, in letter heights. */
const MIN_DISTANCE = 0.85;

/** A value such as `12`, `£3.95` or `2024-10-15`. */
const value = /^[^\p{L}]*\p{N}[^\p{L}]*(?:\p{L}{1,3}[^\p{L}]*)?$/u;
/** Maximum length of a value in UTF-16 units, because the pattern takes quadratic time. */
const MAX_VALUE = 100;

export const isValue = (text: string): boolean => text.length <= MAX_VALUE && value.test(text);

/** Puts the segments of a table into cells. Joins wrapped cells and the lines of the header. */
export function gridOf(lines: readonly Row[], columns: readonly Column[]): Grid {
  const bands = joinWrapped(lines, columns);
  const { header, isMarked } = headerLines(bands);
  const body = bands.slice(header);
  const rows = body.map((band) => cellsOf(band, columns));
  if (header > 0) rows.unshift(headerCells(bands.slice(0, header), columns));
  return {
    rows,
    hasHeader: isMarked,
    isWrapped: body.some((band) => band.length > 1),
    overlapping: overlapping(body),
  };
}

function overlapping(bands: readonly Band[]): number {
  const over = bands.filter((band, i) => {
    const above = bands[i - 1]?.at(-1);
    const [line] = band;
    if (above === undefined || line === undefined) return false;
    return heightOf(above) - heightOf(line) < MIN_DISTANCE * Math.min(sizeOf(above), sizeOf(line));
  });
  return over.length / Math.max(1, bands.length);
}

/** Joins the lines of a row, column by column. */
function cellsOf(band: Band, columns: readonly Column[]): string[] {
  const cells = columns.map(() => '');
  for (const segment of band.flat()) append(cells, columnOf(segment, columns), segment.text);
  return cells;
}

/** Joins the lines of a header. A title above several columns is repeated for each of them. */
function headerCells(bands: readonly Band[], columns: readonly Column[]): string[] {
  const cells = columns.map(() => '');
  for (const [i, band] of bands.entries()) {
    const titles = band.flat();
    const below = bands.slice(i + 1).flat(2);
    for (const column of columns.keys()) {
      const own = titles.filter((title) => columnsUnder(title, columns).includes(column));
      const shared = own.length > 0 ? own : titles.filter((title) => isShared(title, column, below, columns));
      for (const title of shared) append(cells, column, title.text);
    }
  }
  return cells;
}

/** Returns whether a title stands between its own column and this one, above the titles of both. */
function isShared(
  title: Segment,
  column: number,
  below: readonly Segment[],
  columns: readonly Column[],
): boolean {
  const titleOf = (wanted: number) => below.find((segment) => columnOf(segment, columns) === wanted);
  const [own, other] = [titleOf(columnOf(title, columns)), titleOf(column)];
  if (own === undefined || other === undefined) return false;
  const [middle, from, to] = [middleOf(title), middleOf(own), middleOf(other)];
  const isAligned = [title.start - own.start, title.end - own.end, middle - from].some(
    (offset) => Math.abs(offset) < ALIGNED * title.line.size,
  );
  return (
    !isAligned && (middle - from) * (to - middle) > 0 && Math.abs(to - middle) < 2 * Math.abs(middle - from)
  );
}

const middleOf = ({ start, end }: Segment): number => (start + end) / 2;

function append(cells: string[], column: number, text: string): void {
  const before = cells[column] ?? '';
  cells[column] = before === '' ? text : joinLine(before, text, true);
}

const columnOf = (segment: Segment, columns: readonly Column[]): number =>
  columnsUnder(segment, columns)[0] ?? 0;

export function joinWrapped(lines: readonly Row[], columns: readonly Column[]): Band[] {
  const drawn = drawnTogether(lines);
  const distance = rowDistance(lines, columns);
  const bands: Band[] = [];
  for (const [i, line] of lines.entries()) {
    const band = bands.at(-1);
    const isOpen = band !== undefined && band.length < MAX_LINES;
    if (isOpen && (drawn.has(i) || continues(band, line, columns, distance))) band.push(line);
    else bands.push([line]);
  }
  return bands;
}

/**
 * Returns the indexes of lines that belong to the previous row, because a cell was drawn down to this line before the
 * next cell.
 */
function drawnTogether(lines: readonly Row[]): ReadonlySet<number> {
  const together = new Set<number>();
  const rowOf = new Map<number, { row: number; segment: Segment }>();
  for (const [row, line] of lines.entries())
    for (const segment of line) rowOf.set(segment.order, { row, segment });
  for (const { row, segment } of rowOf.values()) {
    const next = rowOf.get(segment.order + 1);
    if (next === undefined || next.row <= row || !overlaps(segment, next.segment)) continue;
    const distance = segment.line.v - next.segment.line.v;
    if (distance > CELL_LEADING * segment.line.size || next.row - row > MAX_LINES) continue;
    for (let between = row + 1; between <= next.row; between++) together.add(between);
  }
  // If every line qualifies, the columns were drawn one after the other, so rows cannot be derived from it.
  return together.size === lines.length - 1 ? new Set() : together;
}

/** Returns the median distance above lines that fill the first column and most other columns. */
function rowDistance(lines: readonly Row[], columns: readonly Column[]): number {
  const distances: number[] = [];
  for (const [i, line] of lines.entries()) {
    const above = lines[i - 1];
    const filled = new Set(line.map((segment) => columnOf(segment, columns)));
    if (above !== undefined && filled.has(0) && 2 * filled.size > columns.length)
      distances.push(heightOf(above) - heightOf(line));
  }
  return distances.sort((one, other) => one - other)[distances.length >> 1] ?? 0;
}

/** Returns whether a line only continues cells of the row above. */
function continues(band: Band, line: Row, columns: readonly Column[], rowDistance: number): boolean {
  const above = band.at(-1) ?? line;
  const distance = heightOf(above) - heightOf(line);
  if (distance > CELL_LEADING * sizeOf(line)) return false;
  const filled = new Set(line.map((segment) => columnOf(segment, columns)));
  const filledAbove = new Set(band.flat().map((segment) => columnOf(segment, columns)));
  if (filled.size >= filledAbove.size || ![...filled].every((column) => filledAbove.has(column)))
    return false;
  if (distance < TIGHT * rowDistance) return true;
  return !filled.has(0) && 2 * filled.size <= columns.length && !line.some(({ text }) => isValue(text));
}

/** Returns the number of rows in the header, and whether it is recognised by its font or by the values below it. */
export function headerLines(bands: readonly Band[]): { header: number; isMarked: boolean } {
  const byFont = leading(bands, (band) => isOtherFont(band, bands));
  if (byFont > 0) return { header: byFont, isMarked: true };
  const byValue = leading(bands, hasNoValue);
  const isLabelled = widest(bands) > 2 || bands.slice(1).every((band) => !hasNoValue(band));
  if (byValue === 1) return { header: 1, isMarked: isLabelled };
  const isShort = bands.slice(0, byValue).some((band) => band.flat().length < widest(bands));
  return byValue > 1 && isShort && isTight(bands.slice(0, byValue))
    ? { header: byValue, isMarked: true }
    : { header: 1, isMarked: byValue > 0 && widest(bands) > 2 };
}

const hasNoValue = (band: Band): boolean => !band.flat().some(({ text }) => isValue(text));

const widest = (bands: readonly Band[]): number =>
  bands.flat().reduce((most, line) => Math.max(most, line.length), 0);

/** Returns how many rows at the top match `isHeader`; 0 if all or too many do. */
function leading(bands: readonly Band[], isHeader: (band: Band) => boolean): number {
  const count = bands.findIndex((band) => !isHeader(band));
  const lines = bands.slice(0, Math.max(0, count)).flat().length;
  return count < 0 || lines > MAX_HEADER_LINES ? 0 : count;
}

/** Returns whether a row's font differs from the fonts of the last rows. */
function isOtherFont(band: Band, bands: readonly Band[]): boolean {
  const last = new Set(
    bands
      .at(-1)
      ?.flat()
      .map(({ line }) => line.font),
  );
  const middle = bands[bands.length >> 1]?.flat().map(({ line }) => line.font) ?? [];
  return band
    .flat()
    .every(({ line }) => line.font !== '' && !last.has(line.font) && !middle.includes(line.font));
}

const isTight = (bands: readonly Band[]): boolean =>
  bands.flat().every((line, i, lines) => {
    const above = lines[i - 1];
    return above === undefined || heightOf(above) - heightOf(line) <= CELL_LEADING * sizeOf(line);
  });
