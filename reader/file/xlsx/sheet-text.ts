import { asText } from '../../as-text.js';
import { createHeadRepeat } from '../../head-repeat.js';
import { type HeadSign, headSign } from '../../table-head.js';

/** A row with at least one value. */
export interface SheetRow {
  /** From 1. */
  number: number;
  /** Values by 0-based column. */
  cells: Map<number, string>;
  isBold: boolean;
  /** True if a cell of the row covers further columns. */
  hasSpan: boolean;
}

/** The first column names of a sheet are expected in this many rows. */
const HEAD_WITHIN_ROWS = 10;
/** Rows below a first row that are compared with it. */
const ROWS_TO_COMPARE = 8;
/** Maximum rows with column names. */
const MAX_HEAD_ROWS = 4;
/** Maximum number of consecutive empty cells to write in a sheet with many empty cells. */
const MAX_GAP = 8;
/** A sheet has many empty cells if there are more than this for each value, and more than these in all. */
const SPARSE = 4;
const SPARSE_FROM = 10_000;

/**
 * Returns the lines of a sheet: a row's values separated by ` | `, each under its column name. `declared` are the
 * numbers of rows that the file declares to be column names. A second table has its own names.
 */
export function sheetLines(rows: readonly SheetRow[], declared: ReadonlySet<number>): string[] {
  const lineOf = createLines(rows);
  const lines: string[] = [];
  let names: string[] = [];
  let isDue = (_row: string): boolean => false;
  let current: SheetRow | null = null;
  for (let at = 0; at < rows.length; at++) {
    const row = rows[at] as SheetRow;
    const heads = isHead(rows, at, declared, current) ? countHeads(rows, at, declared) : 0;
    if (heads > 0) {
      const head = rows.slice(at, at + heads);
      names = head.map(lineOf);
      if (heads > 1 || !isPlain(row) || names[0]?.startsWith('|')) names.push(borderOf(names));
      isDue = createHeadRepeat(names.join('\n'));
      lines.push(...(current === null ? names : [`\n${names[0]}`, ...names.slice(1)]));
      current = row;
      at += heads - 1;
      continue;
    }
    const line = lineOf(row);
    lines.push(isDue(line) ? ['', ...names, line].join('\n') : line);
  }
  return lines;
}

/** Returns whether all names are words. Readers do not take numbers for names unless there is a border below. */
const isPlain = ({ cells }: SheetRow): boolean =>
  [...cells.values()].every((cell) => !/^[^\p{L}]*$/u.test(cell));

function borderOf(names: readonly string[]): string {
  const columns = Math.max(...names.map((name) => name.split(' | ').length));
  const border = Array.from({ length: columns }, () => '---').join(' | ');
  return names[0]?.startsWith('|') ? `| ${border} |` : border;
}

const followsGap = (rows: readonly SheetRow[], at: number): boolean =>
  at > 0 && (rows[at]?.number ?? 0) - (rows[at - 1]?.number ?? 0) > 1;

/** Returns whether a row before this one is a title: a single value above a table. */
const followsTitle = (rows: readonly SheetRow[], at: number): boolean =>
  rows[at - 1]?.cells.size === 1 && (at === 1 || followsGap(rows, at - 1) || followsGap(rows, at));

/** Returns whether a row begins a table with column names. `current` are the names of the table above, if any. */
function isHead(
  rows: readonly SheetRow[],
  at: number,
  declared: ReadonlySet<number>,
  current: SheetRow | null,
): boolean {
  const row = rows[at] as SheetRow;
  if (row.cells.size < 2) return false;
  if (declared.has(row.number)) return true;
  if (current === null ? at >= HEAD_WITHIN_ROWS : !followsGap(rows, at) && !followsTitle(rows, at))
    return false;
  const sign = signOf(rows, at);
  if (sign === 'none') return false;
  const next = rows[at + 1];
  if (next === undefined || followsGap(rows, at + 1)) return current === null && sign === 'possible';
  // A title of several cells stands above more names.
  if (next.cells.size > row.cells.size && !row.hasSpan && signOf(rows, at + 1) === 'clear') return false;
  if (current === null || sign === 'clear' || (row.isBold && !next.isBold)) return true;
  return followsTitle(rows, at) || !haveSameColumns(row, current);
}

const haveSameColumns = (one: SheetRow, other: SheetRow): boolean =>
  [...one.cells.keys()].every((column) => other.cells.has(column));

/** Compares a row with those below it, up to the next gap. */
function signOf(rows: readonly SheetRow[], at: number): HeadSign {
  const row = rows[at] as SheetRow;
  let end = at + 1;
  while (end < rows.length && end <= at + ROWS_TO_COMPARE && !followsGap(rows, end)) end++;
  const below = rows.slice(at + 1, end);
  const columns = [...new Set([row, ...below].flatMap(({ cells }) => [...cells.keys()]))].sort(
    (a, b) => a - b,
  );
  const valuesOf = ({ cells }: SheetRow) => columns.map((column) => cells.get(column) ?? '');
  return headSign(valuesOf(row), below.map(valuesOf));
}

/** Returns the number of rows with column names: names below merged names belong to them. */
function countHeads(rows: readonly SheetRow[], from: number, declared: ReadonlySet<number>): number {
  let count = 1;
  while (count < MAX_HEAD_ROWS && from + count + 1 < rows.length && !followsGap(rows, from + count)) {
    const row = rows[from + count] as SheetRow;
    const above = rows[from + count - 1] as SheetRow;
    const isDeclared = declared.has(row.number);
    const divides = above.hasSpan && row.cells.size > 1 && signOf(rows, from + count) !== 'none';
    if (!isDeclared && !divides) break;
    count++;
  }
  return count;
}

/** Returns a function that writes a row with its values in columns. Shortens long gaps if the sheet is mostly empty. */
function createLines(rows: readonly SheetRow[]): (row: SheetRow) => string {
  let first = Number.POSITIVE_INFINITY;
  let values = 0;
  let places = 0;
  for (const { cells } of rows) {
    values += cells.size;
    for (const column of cells.keys()) first = Math.min(first, column);
  }
  const sorted = ({ cells }: SheetRow) => [...cells].sort(([one], [other]) => one - other);
  for (const row of rows) places += (sorted(row).at(-1)?.[0] ?? 0) - first + 1;
  const maxGap = places > SPARSE * values + SPARSE_FROM ? MAX_GAP : Number.POSITIVE_INFINITY;
  // Without outer bars, an empty first cell would be lost together with the blanks around a line.
  const startsEmpty = rows.some(({ cells }) => cells.size > 1 && !cells.has(first));
  return (row) => {
    const parts: string[] = [];
    let next = first;
    for (const [column, text] of sorted(row)) {
      const gap = Math.min(column - next, maxGap);
      for (let i = 0; i < gap; i++) parts.push('');
      parts.push(text.replace(/\s+/g, ' ').trim());
      next = column + 1;
    }
    const line = parts.join(' | ');
    return asText(startsEmpty ? `| ${line} |` : line);
  };
}
