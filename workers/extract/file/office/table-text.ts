/** A cell that holds more is laid out, not tabulated: its table is then given block by block. */
const LONGEST_CELL = 600;

/** Rows are filled up to the longest one, unless that makes the table so many times larger. */
const RAGGED = 4;
const RAGGED_FROM = 10_000;

const oneLine = (cell: string) => cell.replace(/\s+/g, ' ').trim();

/**
 * A table as Markdown: a row per line, the first row as the header. Tables with one column, and those that serve as
 * page layout, become blocks in reading order. Empty rows are left out.
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
  const cellCount = filled.reduce((sum, row) => sum + row.length, 0);
  const isRagged = columns * filled.length > RAGGED * cellCount + RAGGED_FROM;
  const lines = filled.map((row) => {
    const cells = Array.from({ length: isRagged ? row.length : columns }, (_, i) => oneLine(row[i] ?? ''));
    return `| ${cells.join(' | ')} |`;
  });
  return [lines[0], `|${' --- |'.repeat(columns)}`, ...lines.slice(1)].join('\n');
}
