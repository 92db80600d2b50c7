import type { Cell, TextLine } from '../lines/text-lines.js';
import { flowsOf, hasCells, hasRows, type Row, rowsOf } from './table-rows.js';
import { saysSomething } from './tables.js';

/** A cell is narrower than this share of the widest row. Lines of a two-column text are wider. */
const MAX_CELL_SHARE = 0.4;
/**
 * Number of following rows with cells, one of which must have the same columns. Headers and wrapped cells may have
 * other columns.
 */
const ROWS_BELOW = 3;
/** Sum of rows and columns in a table with two rows and two columns. */
const FEW_ROWS_AND_COLUMNS = 4;
/** Maximum distance between aligned edges, in letter heights. */
const ALIGNED = 0.6;

type Range = Pick<Cell, 'start' | 'end'>;

/**
 * Returns whether the page may have a table with drawn lines: columns continue over several rows, and the cells are
 * words and numbers. Columns of text, formulas and labels of drawings rarely look like this.
 */
export function mayHaveTable(lines: readonly TextLine[]): boolean {
  if (!hasRows(lines)) return false;
  const flows = flowsOf(lines).map(rowsOf);
  const widest = flows.flat().reduce((most, row) => Math.max(most, widthOf(row)), 0);
  const rows = flows.flatMap((flow) => alignedRows(flow.filter((row) => hasShortCell(row, widest))));
  return rows.length > 0 && saysSomething({ rows: rows.map((row) => row.map(({ text }) => text)) });
}

/**
 * Returns the rows that share columns with a nearby row. Two rows with two columns are enough if they contain no
 * formula, because cells of the other rows may touch.
 */
function alignedRows(rows: readonly Row[]): Row[] {
  const aligned = new Set<Row>();
  let most = 0;
  for (const [at, row] of rows.entries()) {
    for (const below of rows.slice(at + 1, at + 1 + ROWS_BELOW)) {
      const columns = sharedColumns(row, below);
      if (columns < 2) continue;
      most = Math.max(most, columns);
      aligned.add(row).add(below);
    }
  }
  const found = [...aligned];
  const isTable =
    aligned.size + most > FEW_ROWS_AND_COLUMNS || !found.flat().some(({ text }) => isFormula(text));
  return isTable ? found : [];
}

const isFormula = (text: string): boolean => /\p{Sm}/u.test(text);

const widthOf = (row: Row): number => (row.at(-1)?.end ?? 0) - (row[0]?.start ?? 0);

const hasShortCell = (row: Row, widest: number): boolean =>
  hasCells(row) && row.some(({ start, end }) => end - start < MAX_CELL_SHARE * widest);

/** Returns the number of cells that are aligned with a cell of the other row and have such a neighbour. */
function sharedColumns(one: Row, other: Row): number {
  const gaps = one.slice(1).filter((right, i) => {
    const left = one[i] ?? right;
    return other.slice(1).some((otherRight, j) => {
      const otherLeft = other[j] ?? otherRight;
      return (
        Math.max(left.end, otherLeft.end) < Math.min(right.start, otherRight.start) &&
        shareEdge(left, otherLeft, left.line.size) &&
        shareEdge(right, otherRight, right.line.size)
      );
    });
  });
  return gaps.length === 0 ? 0 : gaps.length + 1;
}

/** Returns whether two cells share their left edge, right edge or centre. */
const shareEdge = (one: Range, other: Range, size: number): boolean =>
  [one.start - other.start, one.end - other.end, (one.start + one.end - other.start - other.end) / 2].some(
    (distance) => Math.abs(distance) <= ALIGNED * size,
  );
