import { foldBlanks } from './fold-blanks.js';
import type { PageTree } from './page-tree.js';
import { blockTags, headingLevels } from './tag-sets.js';

/** A cell with more text than this is a column of a layout, not a value. */
const MAX_CELL_CHARS = 1_500;
const MAX_COLUMNS = 100;

interface Table {
  rows: string[][];
  hasHeaderRow: boolean;
  caption: string;
}

/** Lines of a data table, or null where the table only arranges the page. */
export function tableRows(tree: PageTree, row: number, dropped: Uint8Array): string[] | null {
  const table = readTable(tree, row, dropped);
  if (table === null) return null;
  const rows = table.rows.filter((cells) => cells.some((cell) => cell !== ''));
  const columns = rows.reduce((most, cells) => Math.max(most, cells.length), 0);
  if (columns < 2 || (rows.length < 2 && !table.hasHeaderRow)) return null;
  const lines = rows.map((cells) => `| ${cells.join(' | ')} |`);
  if (table.hasHeaderRow) lines.splice(1, 0, `|${' --- |'.repeat(columns)}`);
  if (table.caption !== '') lines.unshift(table.caption, '');
  return lines;
}

function readTable(tree: PageTree, table: number, dropped: Uint8Array): Table | null {
  const role = tree.attributes[table]?.role;
  if (role === 'presentation' || role === 'none') return null;
  const rows: string[][] = [];
  let cells: string[] | null = null;
  let caption = '';
  let headerCells = 0;
  let dataCells = 0;
  let firstRowHeaders = false;
  const end = tree.end[table] ?? table + 1;
  for (let row = table + 1; row < end; row++) {
    const tag = tree.tag[row] ?? '';
    const rowEnd = tree.end[row] ?? row + 1;
    if (dropped[row] === 1) {
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
  return { rows, hasHeaderRow: firstRowHeaders, caption };
}

/** Text of a cell on one line, or null where the cell holds a piece of page. */
function cellText(tree: PageTree, cell: number, dropped: Uint8Array): string | null {
  let text = '';
  let paragraphs = 0;
  const end = tree.end[cell] ?? cell + 1;
  for (let row = cell + 1; row < end; row++) {
    const tag = tree.tag[row] ?? '';
    if (dropped[row] === 1) {
      row = (tree.end[row] ?? row + 1) - 1;
      continue;
    }
    if (tag === '') text += tree.text[row] ?? '';
    else if (tag === 'br') text += ' ';
    else if (blockTags.has(tag)) {
      text += ' ';
      if (tag === 'table' || tag === 'pre' || headingLevels.has(tag)) return null;
      if (tag === 'p' && ++paragraphs > 3) return null;
    }
  }
  const folded = foldBlanks(text).trim();
  return folded.length > MAX_CELL_CHARS ? null : folded;
}
