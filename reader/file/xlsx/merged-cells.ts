import type { CellRange } from './cell-range.js';
import type { SheetRow } from './sheet-text.js';

/** Longer texts are not repeated. */
const MAX_REPEATED_CHARS = 200;
/** Maximum cells to fill per cell with a value, and in any sheet. */
const FILLED_PER_CELL = 4;
const FREE_CELLS = 10_000;

/**
 * Writes the value of merged cells into each column and row that they cover. Rows without a value of their own stay
 * empty, and a row that is one merged cell is a title, which stands once. Rows are in ascending order.
 */
export function fillMerged(rows: readonly SheetRow[], merged: readonly CellRange[]): void {
  let left = FREE_CELLS;
  let width = 0;
  for (const { cells } of rows) {
    left += FILLED_PER_CELL * cells.size;
    for (const column of cells.keys()) width = Math.max(width, column + 1);
  }
  const places = new Map(rows.map(({ number }, at) => [number, at]));
  const ownCells = new Map<SheetRow, number>();
  for (const { top, left: first, bottom, right } of merged) {
    const start = places.get(top);
    const text = rows[start ?? -1]?.cells.get(first);
    if (start === undefined || text === undefined || text.length > MAX_REPEATED_CHARS) continue;
    for (let at = start; left > 0 && (rows[at]?.number ?? bottom + 1) <= bottom; at++) {
      const row = rows[at] as SheetRow;
      const own = ownCells.get(row) ?? row.cells.size;
      ownCells.set(row, own);
      if (row.number === top && right > first) row.hasSpan = true;
      left--;
      if (row.number === top && own === 1) continue;
      for (let column = first; left > 0 && column <= Math.min(right, width - 1); column++) {
        if (row.cells.has(column)) continue;
        row.cells.set(column, text);
        left--;
      }
    }
  }
}
