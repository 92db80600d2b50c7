import { type TextRange, trimmed } from './sentences.js';

/** A line of a table, in Markdown with or without outer bars, or separated by tabs. */
const tableLine = /^\s*\||\S \| | \| \S|\S\t+\S/;
/** With a dash, the line below a Markdown header. */
const borderLine = /^[\s|:+=-]+$/;
/** UTF-16 units. A longer cell is neither a title nor a value. */
const MAX_CELL = 100;
/** A cell such as `12`, `£3.95`, `88–94 cm` or `2024-10-15`: more a value than a title. */
const valueCell = /^[^\p{L}]*\p{N}[^\p{L}]*(?:\p{L}{1,3}[^\p{L}]*)?$/u;

const isBorder = (line: string): boolean => borderLine.test(line) && line.includes('-');

export const isTableLine = (line: string): boolean => tableLine.test(line);

/** Returns the trimmed cells of a row, also of a quoted one. An escaped bar belongs to its cell. */
export function cellsOf(row: string): string[] {
  const line = row.replace(/^\s*>/, '').trim();
  const isMarkdown = line.startsWith('|') && /(?<!\\)\|$/.test(line);
  const cells = line.includes('|')
    ? (isMarkdown ? line.slice(1, -1) : line).split(/(?<!\\)\|/)
    : line.split(/\t+/);
  return cells.map((cell) => cell.trim());
}

const isValue = (cell: string): boolean => cell.length <= MAX_CELL && valueCell.test(cell);

export interface TableRows {
  /** Titles of the columns, or null. */
  header: TextRange | null;
  rows: TextRange[];
}

/** Reads the rows of a table. Without a border below it, the first row is a header if it looks like one. */
export function tableRows(text: string, { start, end }: TextRange): TableRows {
  const lines = linesOf(text, start, end);
  const textOf = (line: TextRange | undefined): string => (line ? text.slice(line.start, line.end) : '');
  const border = lines.findIndex((line) => isBorder(textOf(line)));
  const isMarked = border === 1;
  const rows = lines.filter((line) => !isBorder(textOf(line)));
  const [first, ...others] = rows;
  const isHeader = isMarked || looksLikeHeader(textOf(first), others.map(textOf));
  if (first === undefined || !isHeader) return { header: null, rows };
  return { header: cellsOf(textOf(first)).every((cell) => cell === '') ? null : first, rows: others };
}

/**
 * Whether a first row holds titles: several columns, only titles, and a value or an empty corner below or beside
 * them. Two columns are more often labels with their values.
 */
function looksLikeHeader(first: string, others: readonly string[]): boolean {
  const titles = cellsOf(first);
  if (others.length === 0 || titles.length < 2) return false;
  if (titles.some(isValue)) return false;
  const hasValues = others.some((row) => cellsOf(row).some(isValue));
  return titles.length > 2 || (hasValues && titles.every((title) => title !== ''));
}

/** Lines that are not blank, without surrounding white space. */
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
