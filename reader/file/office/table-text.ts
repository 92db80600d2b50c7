import { createHeadRepeat } from '../../head-repeat.js';
import { fillNames, isTitleRow, type SpannedCell, tableGrid } from '../../table-grid.js';

/** A table with a longer cell is a layout. Its cells are written as separate blocks. */
const MAX_CELL_CHARS = 600;

/** Rows are padded to the longest row, unless the table would grow by more than this factor. */
const RAGGED = 4;
const RAGGED_FROM = 10_000;

const oneLine = (cell: string) => cell.replace(/\s+/g, ' ').trim();

/** A cell with this many lines holds a list rather than a wrapped value. */
const MIN_LINES = 3;

const linesOf = (cell: string): string[] =>
  cell
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Splits a row into several if all cells have the same number of lines. Otherwise, joins the lines of each cell. */
function splitListRow(row: readonly string[]): string[][] {
  const cells = row.map(linesOf);
  const most = cells.reduce((count, lines) => Math.max(count, lines.length), 0);
  if (most < MIN_LINES) return [row.map(oneLine)];
  const listed = cells.filter((lines) => lines.length > 1);
  if (listed.length > 1 && listed.every((lines) => lines.length === most))
    return Array.from({ length: most }, (_, line) => cells.map((lines) => oneLine(lines[line] ?? '')));
  return [row.map(joined)];
}

/** Writes the lines of a cell in one. Many lines are items of a list. */
function joined(cell: string): string {
  const lines = linesOf(cell);
  return oneLine(lines.length < MIN_LINES ? lines.join(' ') : listOf(lines));
}

const listOf = (lines: readonly string[]): string =>
  lines.map((line, at) => (at === lines.length - 1 || /\p{P}$/u.test(line) ? line : `${line};`)).join(' ');

/** Rows of an Office table; `heads` is the number of first rows that the file declares to be column names. */
export interface OfficeTable {
  rows: SpannedCell[][];
  heads: number;
}

/**
 * Formats a table as Markdown, with the first row as header below a title row, if any. Single-column tables and layouts
 * become blocks in reading order. Leaves out empty rows.
 */
export function tableText({ rows, heads }: OfficeTable): string {
  const filled = rows.filter((row) => row.some((cell) => cell.text.trim() !== ''));
  const cells = filled.flat();
  const isLayout =
    filled.every((row) => row.length < 2) || cells.some((cell) => cell.text.length > MAX_CELL_CHARS);
  if (isLayout) {
    return cells
      .map((cell) => cell.text.trim())
      .filter((text) => text !== '')
      .join('\n\n');
  }
  const titles = titleRows(filled);
  const title = filled.slice(0, titles).map((row) => oneLine(row[0]?.text ?? ''));
  const body = filled.slice(titles);
  const headRows = countHeadRows(body, heads - titles);
  const grid = tableGrid(rows.slice(rows.indexOf(body[0] ?? []))).filter((row) => row.length > 0);
  fillNames(grid, headRows);
  return [...title, markdownOf(grid, headRows)].join('\n\n');
}

function markdownOf(grid: readonly (readonly string[])[], headRows: number): string {
  const columns = grid.reduce((most, row) => Math.max(most, row.length), 0);
  const head = grid.slice(0, headRows).map((row) => row.map(joined));
  const rows = [...head, ...grid.slice(headRows).flatMap(splitListRow)];
  const cellCount = rows.reduce((sum, row) => sum + row.length, 0);
  const isRagged = columns * rows.length > RAGGED * cellCount + RAGGED_FROM;
  const lines = rows.map((row) => {
    const cells = Array.from({ length: isRagged ? row.length : columns }, (_, i) => row[i] ?? '');
    return `| ${cells.join(' | ')} |`;
  });
  const names = [...lines.slice(0, headRows), `|${' --- |'.repeat(columns)}`];
  const isDue = createHeadRepeat(names.join('\n'));
  const others = lines.slice(headRows).flatMap((line) => (isDue(line) ? ['', ...names, line] : [line]));
  return [...names, ...others].join('\n');
}

/** Returns the number of first rows that are one cell above several columns: titles of the table. */
function titleRows(rows: readonly (readonly SpannedCell[])[]): number {
  const first = rows.findIndex((row) => !isTitleRow(row));
  return first > 0 && (rows[first]?.length ?? 0) > 1 ? first : 0;
}

/** More rows with column names are data. */
const MAX_HEAD_ROWS = 4;

/** Returns the number of rows with column names: the declared rows, or the first row with the rows that continue its names. */
function countHeadRows(rows: readonly (readonly SpannedCell[])[], declared: number): number {
  if (declared > 0 && declared <= MAX_HEAD_ROWS && declared < rows.length) return declared;
  let count = 1;
  while (
    count < MAX_HEAD_ROWS &&
    count < rows.length - 1 &&
    continuesNames(rows[count - 1] ?? [], rows[count] ?? [])
  )
    count++;
  return count;
}

/** Returns whether a row divides names of the row above it: there is a merged cell above it, and its own cells are names. */
function continuesNames(above: readonly SpannedCell[], row: readonly SpannedCell[]): boolean {
  if (!above.some(({ columns }) => columns > 1) || row.length < 2) return false;
  const isFree = ({ text, isContinued }: SpannedCell) => text.trim() === '' || isContinued === true;
  return row.some(isFree) ? row.every((cell) => isFree(cell) || isName(cell.text)) : false;
}

/** Returns whether a text has no number but a year. */
const isName = (text: string): boolean => !/\p{N}/u.test(text.replace(/\b(?:19|20)\d\d\b/g, ''));
