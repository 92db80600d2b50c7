/** A cell that holds more is laid out, not tabulated: its table is then given block by block. */
const LONGEST_CELL = 600;

/** Rows are filled up to the longest one, unless that makes the table so many times larger. */
const RAGGED = 4;
const RAGGED_FROM = 10_000;

const oneLine = (cell: string) => cell.replace(/\s+/g, ' ').trim();

/** A list in a cell has more lines than a value that was broken for lack of room. */
const FEWEST_LINES = 3;

const linesOf = (cell: string): string[] =>
  cell
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/**
 * Cells with as many lines beside each other are rows within the row; else the lines of a list are
 * told apart on one line.
 */
function divided(row: readonly string[]): string[][] {
  const cells = row.map(linesOf);
  const most = cells.reduce((count, lines) => Math.max(count, lines.length), 0);
  if (most < FEWEST_LINES) return [row.map(oneLine)];
  const listed = cells.filter((lines) => lines.length > 1);
  if (listed.length > 1 && listed.every((lines) => lines.length === most))
    return Array.from({ length: most }, (_, line) => cells.map((lines) => oneLine(lines[line] ?? '')));
  return [cells.map((lines) => (lines.length < FEWEST_LINES ? lines.join(' ') : listOf(lines))).map(oneLine)];
}

const listOf = (lines: readonly string[]): string =>
  lines.map((line, at) => (at === lines.length - 1 || /\p{P}$/u.test(line) ? line : `${line};`)).join(' ');

/**
 * A table as Markdown: a row per line, the first row as the header. Tables with one column, and those that
 * serve as page layout, become blocks in reading order. Empty rows are left out.
 */
export function tableText(rows: readonly (readonly string[])[]): string {
  const filled = rows.filter((row) => row.some((cell) => cell.trim() !== ''));
  const columns = filled.reduce((most, row) => Math.max(most, row.length), 0);
  const isLayout = columns < 2 || filled.some((row) => row.some((cell) => cell.length > LONGEST_CELL));
  if (isLayout) {
    return filled
      .flat()
      .map((cell) => cell.trim())
      .filter((cell) => cell !== '')
      .join('\n\n');
  }
  const rowsOfLines = filled.flatMap(divided);
  const cellCount = rowsOfLines.reduce((sum, row) => sum + row.length, 0);
  const isRagged = columns * rowsOfLines.length > RAGGED * cellCount + RAGGED_FROM;
  const lines = rowsOfLines.map((row) => {
    const cells = Array.from({ length: isRagged ? row.length : columns }, (_, i) => row[i] ?? '');
    return `| ${cells.join(' | ')} |`;
  });
  return [lines[0], `|${' --- |'.repeat(columns)}`, ...lines.slice(1)].join('\n');
}
