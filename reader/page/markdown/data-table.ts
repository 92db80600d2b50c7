import { createHeadRepeat } from '../../head-repeat.js';
import { fillNames, MAX_TABLE_COLUMNS, type SpannedCell, tableGrid } from '../../table-grid.js';
import { headSign } from '../../table-head.js';
import type { Attributes } from '../tree/attributes.js';
import { foldBlanks } from '../tree/fold-blanks.js';
import { afterSubtree, type PageTree } from '../tree/page-tree.js';
import { blockTags, headingLevels } from '../tree/tag-sets.js';
import { textOf } from '../tree/text-of.js';
import { footnotesOf } from './footnotes.js';

/** A longer cell is a column of a layout. */
const MAX_CELL_CHARS = 1_500;
/** More rows with column names are data. */
const MAX_HEAD_ROWS = 4;
/** Rows below a first row that are compared with it. */
const ROWS_TO_COMPARE = 8;

interface Table {
  rows: string[][];
  /** Number of rows with column names. They are the first rows. */
  headRows: number;
  /** True if any cell is a header. */
  hasHeaders: boolean;
  caption: string;
}

/** In a table without headers, a longer cell indicates a layout. */
const MAX_VALUE_CHARS = 300;
/** A longer nested table is not a value. */
const MAX_NESTED_CHARS = 100;
/** Maximum rows of a nested table. Limits the time, because each table reads the tables inside it. */
const MAX_NESTED_ROWS = 100;

/** Returns whether a table contains data. Such a table is kept or dropped as a whole. */
export function isDataTable(tree: PageTree, row: number): boolean {
  const table = readTable(tree, row);
  const rows = table?.rows ?? [];
  return (
    (rows.length >= 2 || (table?.caption ?? '') !== '') &&
    rows.some((cells) => cells.length >= 2) &&
    (table?.hasHeaders === true ||
      rows.every((cells) => cells.every((cell) => cell.length <= MAX_VALUE_CHARS)))
  );
}

/** Returns the lines of a data table; null for a layout table. */
export function tableRows(tree: PageTree, row: number, dropped: Uint8Array): string[] | null {
  const table = readTable(tree, row, dropped);
  if (table === null) return null;
  const { rows, headRows, caption } = table;
  const columns = rows.reduce((most, cells) => Math.max(most, cells.length), 0);
  if (columns < 2 || (rows.length < 2 && headRows === 0 && caption === '')) return null;
  const lines = rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
  if (headRows > 0) {
    lines.splice(headRows, 0, `|${' --- |'.repeat(columns)}`);
    repeatHead(lines, headRows + 1);
  }
  if (caption !== '') lines.unshift(caption, '');
  return lines;
}

/** Repeats the column names, so that each chunk of a long table contains them. */
function repeatHead(lines: string[], headLines: number): void {
  const head = lines.slice(0, headLines);
  const isDue = createHeadRepeat(head.join('\n'));
  const repeated = lines.slice(headLines).flatMap((line) => (isDue(line) ? ['', ...head, line] : [line]));
  lines.splice(headLines, Number.POSITIVE_INFINITY, ...repeated);
}

type Section = 'head' | 'body' | 'foot';
const sections: Readonly<Record<string, Section>> = { thead: 'head', tbody: 'body', tfoot: 'foot' };

interface TableRow {
  cells: SpannedCell[];
  section: Section;
  headers: number;
  /** Cells with values, and how many of them are bold. */
  values: number;
  bold: number;
}

function readTable(tree: PageTree, table: number, dropped?: Uint8Array): Table | null {
  const role = tree.attributes[table]?.role;
  if (role === 'presentation' || role === 'none') return null;
  const rows: TableRow[] = [];
  let section: Section = 'body';
  let sectionEnd = 0;
  let caption = '';
  const end = afterSubtree(tree, table);
  for (let row = table + 1; row < end; row++) {
    const tag = tree.tag[row] ?? '';
    const rowEnd = afterSubtree(tree, row);
    if (row >= sectionEnd) section = 'body';
    if (dropped?.[row] === 1) {
      row = rowEnd - 1;
    } else if (tag === 'table') {
      return null;
    } else if (sections[tag] !== undefined) {
      section = sections[tag];
      sectionEnd = rowEnd;
    } else if (tag === 'tr') {
      rows.push({ cells: [], section, headers: 0, values: 0, bold: 0 });
    } else if (tag === 'caption') {
      caption = cellText(tree, row, dropped) ?? '';
      row = rowEnd - 1;
    } else if (tag === 'td' || tag === 'th') {
      const text = cellText(tree, row, dropped);
      if (text === null) return null;
      if (rows.length === 0) rows.push({ cells: [], section, headers: 0, values: 0, bold: 0 });
      const line = rows[rows.length - 1] as TableRow;
      if (tag === 'th') line.headers++;
      else if (text !== '') {
        line.values++;
        if (isBold(tree, row)) line.bold++;
      }
      if (line.cells.length < MAX_TABLE_COLUMNS) line.cells.push({ text, ...spanOf(tree.attributes[row]) });
      row = rowEnd - 1;
    }
  }
  return laidOut(rows, caption);
}

/** Longest span of rows to follow: a section of a table is seldom longer. `0` means the rest of the section. */
const MAX_ROW_SPAN = 1_000;

function spanOf(attributes: Attributes = {}): { columns: number; rows: number } {
  const columns = Number.parseInt(attributes.colspan ?? '1', 10) || 1;
  const rows = attributes.rowspan === undefined ? 1 : Number.parseInt(attributes.rowspan, 10);
  return {
    columns: Math.min(Math.max(columns, 1), MAX_TABLE_COLUMNS),
    rows: rows === 0 ? MAX_ROW_SPAN : Math.min(Math.max(rows || 1, 1), MAX_ROW_SPAN),
  };
}

function laidOut(rows: readonly TableRow[], caption: string): Table {
  const ordered = [
    ...rows.filter(({ section }) => section !== 'foot'),
    ...rows.filter(({ section }) => section === 'foot'),
  ];
  const grid = tableGrid(ordered.map(({ cells }) => cells));
  const hasHeaders = rows.some(({ headers }) => headers > 0);
  const filled = ordered.flatMap((row, at) => {
    const cells = grid[at] ?? [];
    return cells.some((cell) => cell !== '') ? [{ ...row, cells, own: row.cells }] : [];
  });
  const titles = titleRows(filled.map(({ own }) => own));
  const body = filled.slice(titles);
  const title = filled.slice(0, titles).map(({ own }) => own[0]?.text ?? '');
  const lines = body.map(({ cells }) => cells);
  const headRows = countHeadRows(body);
  fillNames(lines, headRows);
  return {
    rows: lines,
    headRows,
    hasHeaders,
    caption: [caption, ...title].filter((line) => line !== '').join('\n\n'),
  };
}

/** Returns the number of first rows that are one cell above several columns: titles of the table. */
function titleRows(rows: readonly (readonly SpannedCell[])[]): number {
  const first = rows.findIndex((cells) => cells.length > 1);
  const isSpanned = rows.slice(0, Math.max(first, 0)).every((cells) => (cells[0]?.columns ?? 1) > 1);
  return first > 0 && isSpanned ? first : 0;
}

interface LaidRow extends Omit<TableRow, 'cells'> {
  cells: string[];
  own: SpannedCell[];
}

function countHeadRows(rows: readonly LaidRow[]): number {
  const [first, ...others] = rows;
  if (first === undefined) return 0;
  const isHead = ({ headers, values, section }: LaidRow) =>
    section === 'head' || (headers > 0 && values === 0);
  let count = rows.findIndex((row) => !isHead(row));
  if (count < 0) count = rows.length > 1 && rows.some(({ section }) => section !== 'head') ? 1 : rows.length;
  if (count === 0 && (hasBoldNames(first, others) || hasNames(first, others))) count = 1;
  // A name that covers rows belongs to the names in these rows.
  if (count === 1)
    for (const { rows: covered } of first.own)
      if (covered <= MAX_HEAD_ROWS && covered < rows.length) count = Math.max(count, covered);
  return count > MAX_HEAD_ROWS ? 1 : count;
}

/** Returns whether the first row is bold and the others are not. */
const hasBoldNames = (first: LaidRow, others: readonly LaidRow[]): boolean =>
  first.headers === 0 &&
  first.values > 1 &&
  first.bold === first.values &&
  others.length > 0 &&
  others.every(({ bold, values }) => values < 2 || bold < values);

/** Returns whether the first row differs from the rows below it as names do from values. */
const hasNames = (first: LaidRow, others: readonly LaidRow[]): boolean =>
  first.headers === 0 &&
  first.cells.length > 2 &&
  others.every(({ headers }) => headers === 0) &&
  headSign(
    first.cells,
    others.slice(0, ROWS_TO_COMPARE).map(({ cells }) => cells),
  ) === 'clear';

const boldTags: ReadonlySet<string> = new Set(['b', 'strong']);
const boldStyle = /font-weight\s*:\s*(?:bold|[6-9]00)/i;

/** Returns whether all text of a cell is bold. */
function isBold(tree: PageTree, cell: number): boolean {
  const end = afterSubtree(tree, cell);
  const isStyled = (row: number) =>
    boldTags.has(tree.tag[row] ?? '') || boldStyle.test(tree.attributes[row]?.style?.slice(0, 1000) ?? '');
  if (isStyled(cell)) return true;
  for (let row = cell + 1; row < end; row++) {
    if (isStyled(row)) row = afterSubtree(tree, row) - 1;
    else if ((tree.text[row] ?? '').trim() !== '') return false;
  }
  return true;
}

/** Returns the cell's text on one line; null if the cell contains blocks. */
function cellText(tree: PageTree, cell: number, dropped?: Uint8Array): string | null {
  let text = '';
  let paragraphs = 0;
  const { references } = footnotesOf(tree);
  const end = afterSubtree(tree, cell);
  for (let row = cell + 1; row < end; row++) {
    const tag = tree.tag[row] ?? '';
    const reference = references.get(row);
    if (reference !== undefined) text += ` [${reference}]`;
    if (reference !== undefined || dropped?.[row] === 1) {
      row = afterSubtree(tree, row) - 1;
      continue;
    }
    if (tag === '') text += tree.text[row] ?? '';
    else if (tag === 'br') text += ' ';
    else if (blockTags.has(tag)) {
      text += ' ';
      if (tag === 'pre' || headingLevels.has(tag)) return null;
      if (tag === 'table' && isLong(tree, row)) return null;
      if (tag === 'p' && ++paragraphs > 3) return null;
    }
  }
  const folded = foldBlanks(text).trim();
  return folded.length > MAX_CELL_CHARS ? null : folded;
}

const isLong = (tree: PageTree, table: number): boolean =>
  afterSubtree(tree, table) - table > MAX_NESTED_ROWS || textOf(tree, table).length > MAX_NESTED_CHARS;
