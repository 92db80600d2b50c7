import { asText } from '../../as-text.js';
import { createHeadRepeat } from '../../head-repeat.js';

/** Maximum number of consecutive empty cells to write. */
const MAX_GAP = 8;
/** The header of a sheet is expected in this many first rows. */
const HEADER_WITHIN_ROWS = 10;

export interface ShownCell {
  column: number;
  text: string;
  isText: boolean;
}

/** Formats rows as values separated by ` | `. Values are aligned by column if gaps are short. */
export function createSheetText(): { add(cells: readonly ShownCell[]): string } {
  let firstColumn: number | undefined;
  let header: string | undefined;
  let isDue = (_row: string): boolean => false;
  let rows = 0;

  return {
    add(cells) {
      firstColumn = Math.min(firstColumn ?? Number.POSITIVE_INFINITY, cells[0]?.column ?? 0);
      const line = rowLine(cells, firstColumn);
      rows++;
      if (header === undefined && rows <= HEADER_WITHIN_ROWS && looksLikeHeader(cells)) {
        header = line;
        isDue = createHeadRepeat(line);
        return line;
      }
      return isDue(line) ? `\n${header}\n${line}` : line;
    },
  };
}

const looksLikeHeader = (cells: readonly ShownCell[]): boolean =>
  cells.length >= 2 && cells.every((cell) => cell.isText && cell.text.length <= 100);

function rowLine(cells: readonly ShownCell[], firstColumn: number): string {
  const parts: string[] = [];
  let next = firstColumn;
  for (const { column, text } of cells) {
    const gap = column - next;
    for (let i = 0; i < Math.min(gap, MAX_GAP); i++) parts.push('');
    parts.push(text.replace(/\s+/g, ' ').trim());
    next = column + 1;
  }
  return asText(parts.join(' | '));
}
