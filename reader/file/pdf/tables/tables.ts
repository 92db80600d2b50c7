import type { TextLine } from '../lines/text-lines.js';
import { type Column, columnsOf, columnsUnder } from './table-columns.js';
import { type Grid, gridOf } from './table-grid.js';
import { tableLine } from './table-line.js';
import { flowsOf, hasRows, MAX_COLUMNS, type Row, rowsOf, runsOf, type Segment } from './table-rows.js';

const MIN_ROWS = 3;
/** A table with at least this many columns needs only one row below its header. */
const MANY_COLUMNS = 3;
/** Minimum shares: filled cells, rows with both cells of two columns, and aligned cells. */
const MIN_FILLED = 0.4;
const FEW_ROWS = 5;
const MIN_FILLED_OF_FEW = 0.6;
const MIN_PAIRS = 0.7;
const MIN_ALIGNED = 0.6;
const MAX_OVERLAPPING = 0.15;
/** Minimum share of cells with words. Scales and matrices have none. */
const MIN_WORDS = 0.15;
const MIN_CONTENT = 0.75;
/** Maximum distance between aligned edges, in letter heights. */
const ALIGNED = 0.6;
/** Running text fills this share of its column in at least half of its lines. */
const FULL_SHARE = 0.6;
const MIN_CHARS = 25;
const MIN_WIDE_CHARS = 12;

const word = /\p{L}{2}|[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]/u;
const wide = /[\u3000-\u30ff\u3400-\u9fff\uac00-\ud7a3]/;

/** Finds tables by the alignment of their cells, and replaces the lines of each by one line. */
export function withTables(lines: readonly TextLine[]): readonly TextLine[] {
  if (!hasRows(lines)) return lines;
  const tables = new Map<TextLine, TextLine>();
  for (const flow of flowsOf(lines)) {
    for (const run of runsOf(rowsOf(flow))) {
      const table = tableOf(run);
      if (table === null) continue;
      for (const { line } of run.flat()) tables.set(line, table);
    }
  }
  if (tables.size === 0) return lines;
  return [...new Set(lines.map((line) => tables.get(line) ?? line))];
}

function tableOf(run: readonly Row[]): TextLine | null {
  const columns = columnsOf(run);
  const [first] = run.flat();
  if (columns.length < 2 || columns.length > MAX_COLUMNS || first === undefined) return null;
  const grid = gridOf(run, columns);
  if (
    !isFilled(grid) ||
    !saysSomething(grid) ||
    grid.overlapping > MAX_OVERLAPPING ||
    !isAligned(run, columns) ||
    (!grid.isWrapped && isColumnsOfText(run, columns))
  )
    return null;
  return tableLine(run.flat(), first, grid);
}

function isFilled({ rows, hasHeader }: Grid): boolean {
  const columns = rows[0]?.length ?? 0;
  const fewest = hasHeader && columns >= MANY_COLUMNS ? 2 : MIN_ROWS;
  if (rows.length < fewest) return false;
  const filled = rows.map((row) => row.filter((cell) => cell !== '').length);
  if (columns === 2) return filled.filter((count) => count === 2).length >= MIN_PAIRS * rows.length;
  const least = rows.length < FEW_ROWS ? MIN_FILLED_OF_FEW : MIN_FILLED;
  return filled.reduce((sum, count) => sum + count, 0) >= least * rows.length * columns;
}

/** Returns whether the cells are words and numbers, not parts of formulas or drawings. */
export function saysSomething({ rows }: Pick<Grid, 'rows'>): boolean {
  const cells = rows.flat().filter((cell) => cell !== '');
  const words = cells.filter((cell) => word.test(cell)).length;
  const content = cells.filter((cell) => /[\p{L}\p{N}]{2}|\p{N}/u.test(cell)).length;
  return words >= MIN_WORDS * cells.length && content >= MIN_CONTENT * cells.length;
}

/** Returns whether most cells of most columns share their left edge, right edge or centre. */
function isAligned(run: readonly Row[], columns: readonly Column[]): boolean {
  const cells: Segment[][] = columns.map(() => []);
  for (const segment of run.flat()) {
    const under = columnsUnder(segment, columns);
    if (under.length === 1) cells[under[0] ?? 0]?.push(segment);
  }
  const aligned = cells.filter((column) => {
    const size = column[0]?.line.size ?? 1;
    const share = Math.max(
      ...[
        column.map(({ start }) => start),
        column.map(({ end }) => end),
        column.map(({ start, end }) => (start + end) / 2),
      ].map((edges) => mostAlike(edges, ALIGNED * size)),
    );
    return share >= MIN_ALIGNED * column.length;
  });
  return aligned.length >= Math.max(2, 0.75 * columns.length);
}

/** Returns the size of the largest group of values within this range. */
function mostAlike(values: readonly number[], range: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  let most = 0;
  let from = 0;
  for (const [i, value] of sorted.entries()) {
    while (value - (sorted[from] ?? value) > range) from++;
    most = Math.max(most, i - from + 1);
  }
  return most;
}

/** Returns whether the columns are running text. */
export function isColumnsOfText(run: readonly Row[], columns: readonly Column[]): boolean {
  const running = columns.filter(({ start, end }, i) => {
    const cells = run.flat().filter((segment) => columnsUnder(segment, columns)[0] === i);
    const full = cells.filter(
      (cell) =>
        cell.end - cell.start >= FULL_SHARE * (end - start) &&
        cell.text.length >= (wide.test(cell.text) ? MIN_WIDE_CHARS : MIN_CHARS),
    );
    return 2 * full.length >= cells.length;
  });
  return running.length > 1;
}
