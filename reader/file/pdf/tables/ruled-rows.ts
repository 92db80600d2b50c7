import { joinLine } from '../lines/join-line.js';
import type { Region, RuledGrid } from './ruled-grid.js';
import type { Column } from './table-columns.js';
import { type Band, headerLines, isValue, joinWrapped } from './table-grid.js';
import { baselinesOf, type Row, type Segment } from './table-rows.js';
import type { Table } from './table-text.js';
import { isColumnsOfText, saysSomething } from './tables.js';

/** A row of the grid. */
interface GridRow {
  regions: readonly Region[];
  texts: ReadonlyMap<Region, string>;
  band: Band;
  /** True if there are no lines between this row and its neighbours. */
  isPart: boolean;
}

type Segments = ReadonlyMap<Region, readonly Segment[]>;

/** A longer cell is part of a layout. */
const MAX_CELL_CHARS = 1_500;
/** Minimum share of cells with text. Forms have many empty cells. */
const MIN_FILLED = 0.3;
const MIN_ROWS = 2;
/** Minimum number of rows without lines between them, and the share of these rows in which a column has text. */
const MIN_UNRULED = 3;
const MIN_BESIDE = 0.8;
/** A wrapped line, except the last of its paragraph, fills this share of its column. */
const FULL_SHARE = 0.6;

/** Returns the table of a grid whose regions contain text; null for drawings, frames and layouts. */
export function ruledTable(segments: Segments, grid: RuledGrid): Table | null {
  const texts = new Map([...segments].map(([region, own]) => [region, textOf(own)]));
  if (texts.size < 2 * MIN_ROWS || [...texts.values()].some(({ length }) => length > MAX_CELL_CHARS))
    return null;
  const columns = grid.xs.slice(1).map((end, i) => ({ start: grid.xs[i] ?? end, end }));
  const rows = grid.regions.flatMap((regions, row) => rowsOfRegions(segments, texts, regions, row, columns));
  const bands = rows.map(({ band }) => band);
  if (rows.some(({ isPart }) => isPart) && isColumnsOfText(bands.flat(), columns)) return null;
  const { header, isMarked } = headerLines(bands);
  const named = new Set([...texts.keys()].map(({ column }) => column));
  const used = [...columns.keys()].filter((column) => named.has(column));
  const cells = rows.slice(header).map((row) => used.map((column) => cellOf(row, column)));
  if (header > 0) cells.unshift(used.map((column) => headerOf(rows.slice(0, header), column)));
  const table = { rows: cells, hasHeader: isMarked };
  return isFilled(cells) && saysSomething(table) ? table : null;
}

function isFilled(rows: readonly (readonly string[])[]): boolean {
  const filled = rows.map((row) => row.filter((cell) => cell !== '').length);
  const all = rows.length * (rows[0]?.length ?? 0);
  return (
    filled.filter((count) => count > 1).length >= MIN_ROWS &&
    filled.reduce((sum, count) => sum + count, 0) >= MIN_FILLED * all
  );
}

function textOf(segments: readonly Segment[]): string {
  const [first, ...others] = baselinesOf(segments).flat();
  return others.reduce((text, segment) => joinLine(text, segment.text, true), first?.text ?? '');
}

/**
 * Returns the rows of the regions that begin in this row of the grid. There may be several if no lines are drawn
 * between them.
 */
function rowsOfRegions(
  segments: Segments,
  texts: ReadonlyMap<Region, string>,
  regions: readonly Region[],
  row: number,
  columns: readonly Column[],
): GridRow[] {
  const begun = [...new Set(regions)].filter((region) => region.row === row);
  const single = begun.filter(({ lastRow }) => lastRow === row);
  const lines = baselinesOf(single.flatMap((region) => segments.get(region) ?? []));
  if (!areRows(lines, columns)) {
    const all = begun.flatMap((region) => segments.get(region) ?? []);
    return all.length === 0 ? [] : [{ regions, texts, band: baselinesOf(all), isPart: false }];
  }
  const regionOf = new Map(
    single.flatMap((region) => segments.get(region)?.map((one) => [one, region]) ?? []),
  );
  return joinWrapped(lines, columns).map((band) => {
    const own = new Map(single.map((region) => [region, '']));
    for (const segment of band.flat()) {
      const region = regionOf.get(segment);
      const before = region === undefined ? '' : own.get(region);
      if (region !== undefined) own.set(region, before ? joinLine(before, segment.text, true) : segment.text);
    }
    return { regions, texts: new Map([...texts, ...own]), band, isPart: true };
  });
}

/** Returns whether each line is a separate row, because two columns have unwrapped text in most lines. */
function areRows(lines: readonly Row[], columns: readonly Column[]): boolean {
  if (lines.length < MIN_UNRULED) return false;
  const filled = columns
    .map(({ start, end }) => lines.flat().filter((segment) => segment.start < end && segment.end > start))
    .map((own, i) => ({ own, column: columns[i] }))
    .filter(({ own }) => own.length > 0);
  const beside = filled.filter(({ own }) => own.length >= MIN_BESIDE * lines.length);
  const separate = beside.filter(({ own, column }) => column !== undefined && !isWrapped(own, column));
  return separate.length > 1 && 2 * beside.length >= filled.length;
}

const isWrapped = (lines: readonly Segment[], { start, end }: Column): boolean =>
  !lines.every(({ text }) => isValue(text)) &&
  lines.slice(0, -1).every((line) => line.end - line.start >= FULL_SHARE * (end - start));

/**
 * Returns the text of a cell. A cell that spans rows is repeated in each; a cell that spans columns is in the first
 * column.
 */
function cellOf({ regions, texts }: GridRow, column: number): string {
  const region = regions[column];
  return region?.column === column ? (texts.get(region) ?? '') : '';
}

/** Joins the rows of a header. A title above several columns is repeated for each of them. */
function headerOf(rows: readonly GridRow[], column: number): string {
  const titles = new Map(rows.map(({ regions, texts }) => [regions[column], texts]));
  return [...titles]
    .map(([region, texts]) => (region === undefined ? '' : (texts.get(region) ?? '')))
    .filter((text) => text !== '')
    .join(' ');
}
