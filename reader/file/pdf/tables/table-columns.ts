import { overlaps, type Row, type Segment, sizeOf } from './table-rows.js';

export interface Column {
  start: number;
  end: number;
}

/** Minimum gap between columns, in letter heights. */
const MIN_GUTTER = 0.4;
/** Maximum share of rows that cross a gutter, such as headers over several columns and totals. */
const CROSSING_SHARE = 0.1;
const MIN_ROWS_TO_CROSS = 3;

/** Returns the columns of the rows: ranges between strips that are empty in all or nearly all rows. */
export function columnsOf(rows: readonly Row[]): Column[] {
  const several = rows.filter((row) => row.length > 1);
  const size = several[0] === undefined ? 1 : sizeOf(several[0]);
  const strict = coveredRanges(several, 0, size);
  if (several.length < MIN_ROWS_TO_CROSS) return strict;
  const crossing = Math.max(1, Math.floor(CROSSING_SHARE * several.length));
  const tolerant = coveredRanges(several, crossing, size);
  return tolerant.length > strict.length ? tolerant : strict;
}

/** Returns the ranges that more than `crossing` segments cover. */
function coveredRanges(rows: readonly Row[], crossing: number, size: number): Column[] {
  const edges = rows.flat().flatMap(({ start, end }) => [
    { at: start, by: 1 },
    { at: end, by: -1 },
  ]);
  edges.sort((one, other) => one.at - other.at || one.by - other.by);
  const ranges: Column[] = [];
  let covering = 0;
  for (const { at, by } of edges) {
    const wasCovered = covering > crossing;
    covering += by;
    const isCovered = covering > crossing;
    const last = ranges.at(-1);
    if (isCovered && !wasCovered) {
      const isApart = last === undefined || at - last.end >= MIN_GUTTER * size;
      if (isApart) ranges.push({ start: at, end: at });
    } else if (!isCovered && wasCovered && last !== undefined) last.end = at;
  }
  return ranges;
}

/** Returns the indexes of the columns that a segment covers, or of the nearest column if it covers none. */
export function columnsUnder(segment: Segment, columns: readonly Column[]): number[] {
  const under: number[] = [];
  for (const [i, column] of columns.entries()) if (overlaps(column, segment)) under.push(i);
  return under.length > 0 ? under : [nearest(segment, columns)];
}

function nearest({ start, end }: Segment, columns: readonly Column[]): number {
  const middle = (start + end) / 2;
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (const [i, column] of columns.entries()) {
    const distance = Math.max(column.start - middle, middle - column.end);
    if (distance < least) [best, least] = [i, distance];
  }
  return best;
}
