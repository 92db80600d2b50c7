/** A cell of a table with the columns and rows that it covers. */
export interface SpannedCell {
  text: string;
  columns: number;
  rows: number;
  /** True if the cell continues the cell above it. */
  isContinued?: boolean;
}

/** Longer texts are not repeated in the cells that they cover. */
const MAX_REPEATED_CHARS = 200;
/** Repeated text may be this many times the text of the table. */
const MAX_GROWTH = 4;
const FREE_CHARS = 10_000;
const DIVIDER_CHARS = 3;

const MIN_TITLE_COLUMNS = 3;

/** Returns whether a row is a title above or between other rows: only its first cell has text, and it covers the row. */
export const isTitleRow = (row: readonly SpannedCell[]): boolean =>
  row.every(({ text, isContinued }, at) => at > 0 === (text === '' && isContinued !== true)) &&
  (row.length === 1
    ? (row[0]?.columns ?? 1) > 1
    : row.reduce((sum, { columns }) => sum + columns, 0) >= MIN_TITLE_COLUMNS);

/** Further columns are left out. */
export const MAX_TABLE_COLUMNS = 100;

/**
 * Lays out the cells of a table in columns. The text of a cell that covers several columns and rows is in each of them, so that
 * every row names what it belongs to. The text of a title row stands once. A row without a text of
 * its own is empty.
 */
export function tableGrid(table: readonly (readonly SpannedCell[])[]): string[][] {
  let chars = FREE_CHARS;
  for (const row of table) for (const cell of row) chars += MAX_GROWTH * cell.text.length;
  /** Returns the text for a further place of a cell. */
  const repeated = (text: string): string => {
    const said = text.length > MAX_REPEATED_CHARS || text.length > chars ? '' : text;
    chars -= said.length + DIVIDER_CHARS;
    return said;
  };
  /** Texts from rows above by column, with the number of rows that they still cover. */
  const covering: { text: string; rows: number }[] = [];
  let above: string[] = [];
  return table.map((row) => {
    const cells: string[] = [];
    /** Fills columns that cells from above cover, up to a column that is free. */
    const fillCovered = (until = 0): void => {
      for (let at = cells.length; chars > 0 && (at < until || (covering[at]?.rows ?? 0) > 0); at++) {
        const cover = covering[at];
        const isCovered = cover !== undefined && cover.rows > 0;
        if (isCovered) cover.rows--;
        cells.push(isCovered ? repeated(cover.text) : '');
      }
    };
    const isTitle = isTitleRow(row);
    for (const { text, columns, rows, isContinued } of row) {
      fillCovered();
      for (let n = 0; n < (isTitle ? 1 : columns) && cells.length < MAX_TABLE_COLUMNS; n++) {
        if (n > 0 && chars <= 0) break;
        if (rows > 1) covering[cells.length] = { text, rows: rows - 1 };
        if (isContinued === true) cells.push(repeated(above[cells.length] ?? ''));
        else cells.push(n === 0 ? text : repeated(text));
      }
    }
    const lastCovered = covering.findLastIndex((cover) => cover !== undefined && cover.rows > 0);
    fillCovered(lastCovered + 1);
    above = cells;
    return row.every((cell) => cell.isContinued === true || cell.text === '') ? [] : cells;
  });
}

/** Fills the empty cells of the second and further rows of column names from the row above. */
export function fillNames(grid: readonly string[][], headRows: number): void {
  for (let at = 1; at < headRows; at++) {
    const above = grid[at - 1] ?? [];
    const row = grid[at] ?? [];
    for (let column = 0; column < above.length; column++) row[column] ||= above[column] ?? '';
  }
}
