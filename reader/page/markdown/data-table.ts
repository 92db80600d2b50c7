import { createHeadRepeat } from '../../head-repeat.js';
import { foldBlanks } from '../tree/fold-blanks.js';
import { afterSubtree, type PageTree } from '../tree/page-tree.js';
import { blockTags, headingLevels } from '../tree/tag-sets.js';
import { textOf } from '../tree/text-of.js';
import { footnotesOf } from './footnotes.js';

/** A longer cell is a column of a layout. */
const MAX_CELL_CHARS = 1_500;
const MAX_COLUMNS = 100;

interface Table {
  rows: string[][];
  hasHeaderRow: boolean;
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
  const rows = table?.rows.filter((cells) => cells.some((cell) => cell !== '')) ?? [];
  return (
    rows.length >= 2 &&
    rows.some((cells) => cells.length >= 2) &&
    (table?.hasHeaders === true ||
      rows.every((cells) => cells.every((cell) => cell.length <= MAX_VALUE_CHARS)))
  );
}

/** Returns the lines of a data table; null for a layout table. */
export function tableRows(tree: PageTree, row: number, dropped: Uint8Array): string[] | null {
  const table = readTable(tree, row, dropped);
  if (table === null) return null;
  const rows = table.rows.filter((cells) => cells.some((cell) => cell !== ''));
  const columns = rows.reduce((most, cells) => Math.max(most, cells.length), 0);
  if (columns < 2 || (rows.length < 2 && !table.hasHeaderRow)) return null;
  const lines = rows.map((cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`);
  if (table.hasHeaderRow) {
    lines.splice(1, 0, `|${' --- |'.repeat(columns)}`);
    repeatHead(lines);
  }
  if (table.caption !== '') lines.unshift(table.caption, '');
  return lines;
}

/** Repeats the header, so that each chunk of a long table contains it. */
function repeatHead(lines: string[]): void {
  const head = lines.slice(0, 2);
  const isDue = createHeadRepeat(head.join('\n'));
  const repeated = lines.slice(2).flatMap((line) => (isDue(line) ? ['', ...head, line] : [line]));
  lines.splice(2, Number.POSITIVE_INFINITY, ...repeated);
}

function readTable(tree: PageTree, table: number, dropped?: Uint8Array): Table | null {
  const role = tree.attributes[table]?.role;
  if (role === 'presentation' || role === 'none') return null;
  const rows: string[][] = [];
  let cells: string[] | null = null;
  let caption = '';
  let headerCells = 0;
  let dataCells = 0;
  let firstRowHeaders = false;
  const end = afterSubtree(tree, table);
  for (let row = table + 1; row < end; row++) {
    const tag = tree.tag[row] ?? '';
    const rowEnd = afterSubtree(tree, row);
    if (dropped?.[row] === 1) {
      row = rowEnd - 1;
    } else if (tag === 'table') {
      return null;
    } else if (tag === 'tr') {
      if (rows.length === 1) firstRowHeaders = headerCells > 0 && dataCells === 0;
      cells = [];
      rows.push(cells);
    } else if (tag === 'caption') {
      caption = cellText(tree, row, dropped) ?? '';
      row = rowEnd - 1;
    } else if (tag === 'td' || tag === 'th') {
      const text = cellText(tree, row, dropped);
      if (text === null) return null;
      if (cells === null) {
        cells = [];
        rows.push(cells);
      }
      if (tag === 'th') headerCells++;
      else dataCells++;
      if (cells.length < MAX_COLUMNS) cells.push(text);
      row = rowEnd - 1;
    }
  }
  if (rows.length === 1) firstRowHeaders = headerCells > 0 && dataCells === 0;
  return { rows, hasHeaderRow: firstRowHeaders, hasHeaders: headerCells > 0, caption };
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
