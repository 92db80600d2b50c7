/** A table with a longer cell is used for layout, and is emitted block by block. */
const MAX_CELL_CHARS = 600;

/** Rows are padded to the longest row, unless that makes the table more than this many times larger. */
const RAGGED = 4;
const RAGGED_FROM = 10_000;

const oneLine = (cell: string) => cell.replace(/\s+/g, ' ').trim();

/** From this number of lines on, a cell holds a list rather than a wrapped value. */
const MIN_LINES = 3;

const linesOf = (cell: string): string[] =>
  cell
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** Splits a row whose cells have the same number of lines into rows; other lists are joined to one line. */
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
 * Formats a table as Markdown with the first row as header. Single-column and layout tables become blocks in
 * reading order. Empty rows are left out.
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
