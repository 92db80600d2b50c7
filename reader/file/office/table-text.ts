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
  return [cells.map((lines) => (lines.length < MIN_LINES ? lines.join(' ') : listOf(lines))).map(oneLine)];
}

const listOf = (lines: readonly string[]): string =>
  lines.map((line, at) => (at === lines.length - 1 || /\p{P}$/u.test(line) ? line : `${line};`)).join(' ');

/**
 * Formats a table as Markdown, with the first row as header. Single-column tables and layouts become blocks in reading
 * order. Leaves out empty rows.
 */
export function tableText(rows: readonly (readonly string[])[]): string {
  const filled = rows.filter((row) => row.some((cell) => cell.trim() !== ''));
  const columns = filled.reduce((most, row) => Math.max(most, row.length), 0);
  const isLayout = columns < 2 || filled.some((row) => row.some((cell) => cell.length > MAX_CELL_CHARS));
  if (isLayout) {
    return filled
      .flat()
      .map((cell) => cell.trim())
      .filter((cell) => cell !== '')
      .join('\n\n');
  }
  const rowsOfLines = filled.flatMap(splitListRow);
  const cellCount = rowsOfLines.reduce((sum, row) => sum + row.length, 0);
  const isRagged = columns * rowsOfLines.length > RAGGED * cellCount + RAGGED_FROM;
  const lines = rowsOfLines.map((row) => {
    const cells = Array.from({ length: isRagged ? row.length : columns }, (_, i) => row[i] ?? '');
    return `| ${cells.join(' | ')} |`;
  });
  return [lines[0], `|${' --- |'.repeat(columns)}`, ...lines.slice(1)].join('\n');
}
