import { type TextRange, trimmed } from './sentences.js';

/** Matches a row of a table: Markdown with or without outer bars, or cells separated by tabs. */
const tableLine = /^\s*\||\S \| | \| \S|\S\t+\S/;
/** Matches the line below a Markdown header if it also contains a dash. */
const borderLine = /^[\s|:+=-]+$/;
/** Maximum length of a value in UTF-16 units. */
const MAX_CELL = 100;
/** Matches a cell that holds a value rather than a title, such as `12`, `£3.95`, `88–94 cm` or `2024-10-15`. */
const valueCell = /^[^\p{L}]*\p{N}[^\p{L}]*(?:\p{L}{1,3}[^\p{L}]*)?$/u;

const isBorder = (line: string): boolean => borderLine.test(line) && line.includes('-');

export const isTableLine = (line: string): boolean => tableLine.test(line);

/** Returns the trimmed cells of a row, without a quote mark (`>`) before it. An escaped bar belongs to its cell. */
export function cellsOf(row: string): string[] {
  const line = row.replace(/^\s*>/, '').trim();
  const isMarkdown = line.startsWith('|') && /(?<!\\)\|$/.test(line);
  const cells = line.includes('|')
    ? (isMarkdown ? line.slice(1, -1) : line).split(/(?<!\\)\|/)
    : line.split(/\t+/);
  return cells.map((cell) => cell.trim());
}

/** Returns whether a cell holds a value, such as a number with its unit. */
export const isValue = (cell: string): boolean => cell.length <= MAX_CELL && valueCell.test(cell);

export interface TableRows {
  /** Row with the titles of the columns; null if the table has no header. */
  header: TextRange | null;
  rows: TextRange[];
}

/** Maximum rows with titles above a border. */
const MAX_TITLE_ROWS = 4;

/**
 * Reads the rows of a table. The row above a border is the header: the last of several rows with titles, because it has
 * a title for each column. Without a border, the first row is the header if it looks like one.
 */
export function tableRows(text: string, { start, end }: TextRange): TableRows {
  const lines = linesOf(text, start, end);
  const textOf = (line: TextRange | undefined): string => (line ? text.slice(line.start, line.end) : '');
  const border = lines.findIndex((line) => isBorder(textOf(line)));
  const isMarked = border >= 1 && border <= MAX_TITLE_ROWS;
  const all = lines.filter((line) => !isBorder(textOf(line)));
  const rows = isMarked ? all.slice(border - 1) : all;
  const [first, ...others] = rows;
  const isHeader = isMarked || looksLikeHeader(textOf(first), others.map(textOf));
  if (first === undefined || !isHeader) return { header: null, rows };
  return { header: cellsOf(textOf(first)).every((cell) => cell === '') ? null : first, rows: others };
}

/**
 * Returns whether a first row holds titles: it has several cells and no values. With only two columns, which are more
 * often labels with values, it also needs a value below and no empty cell.
 */
function looksLikeHeader(first: string, others: readonly string[]): boolean {
  const titles = cellsOf(first);
  if (others.length === 0 || titles.length < 2) return false;
  if (titles.some(isValue)) return false;
  const hasValues = others.some((row) => cellsOf(row).some(isValue));
  return titles.length > 2 || (hasValues && titles.every((title) => title !== ''));
}

/** Returns the nonblank lines, without surrounding white space. */
export function linesOf(text: string, start: number, end: number): TextRange[] {
  const lines: TextRange[] = [];
  for (let at = start; at < end; ) {
    const newline = text.indexOf('\n', at);
    const stop = newline < 0 || newline > end ? end : newline;
    const [first, last] = trimmed(text, at, stop);
    if (last > first) lines.push({ start: first, end: last });
    at = stop + 1;
  }
  return lines;
}
