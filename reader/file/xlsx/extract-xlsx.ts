import { ExtractError } from '../../extract-error.js';
import { joinStruck, withStrike } from '../../struck-text.js';
import { shownSymbols } from '../../symbol-fonts.js';
import type { Archive } from '../archive/archive.js';
import type { DocumentText } from '../document.js';
import type { ExtractLimits } from '../limits.js';
import { generalNumber } from '../office/number-format.js';
import { type OfficePackage, openPackage, readCoreProperties } from '../office/package.js';
import { readPart } from '../xml/read-part.js';
import type { CellRange } from './cell-range.js';
import { fillMerged } from './merged-cells.js';
import { readSheetExtras } from './sheet-extras.js';
import { createSheetReader, type RawCell } from './sheet-reader.js';
import { type SheetRow, sheetLines } from './sheet-text.js';
import { readTableHeads } from './table-heads.js';
import {
  type CellFormats,
  readCellFormats,
  readSharedStrings,
  readWorkbook,
  type SharedStrings,
  type SheetEntry,
} from './workbook.js';

/** Length of the mark between two values. */
const DIVIDER_CHARS = 3;
/** More rows that do not scroll are no column names. */
const MAX_FROZEN_ROWS = 10;
const MAX_MERGED = 20_000;

interface Reading {
  office: OfficePackage;
  strings: SharedStrings;
  formats: CellFormats;
  is1904: boolean;
  cellsLeft: number;
  charsLeft: number;
  truncated: boolean;
}

/**
 * Extracts all sheets with their names, a line per row, with values as displayed. Rejects with FILE_UNPARSABLE or
 * FILE_TOO_COMPLEX.
 */
export async function extractXlsx(archive: Archive, limits: ExtractLimits): Promise<DocumentText> {
  const office = await openPackage(archive, 'xl/workbook.xml', limits);
  const { sheets, is1904 } = await readWorkbook(office);
  const strings = await readSharedStrings(office);
  const reading: Reading = {
    office,
    strings,
    formats: await readCellFormats(office),
    is1904,
    cellsLeft: limits.workbookCells,
    charsLeft: limits.textBytes,
    truncated: strings.cut,
  };
  const texts: string[] = [];
  for (const sheet of sheets) {
    const lines = sheet.isGrid ? await readSheet(reading, sheet) : [];
    const more = reading.charsLeft > 0 ? await readSheetExtras(office, sheet.part) : [];
    for (const block of more) reading.charsLeft -= block.length;
    if (lines.length === 0 && more.length === 0) continue;
    const mark = sheet.hidden ? ' (hidden)' : '';
    const blocks = [`## ${sheet.name.replace(/\s+/g, ' ')}${mark}`, lines.join('\n'), ...more];
    texts.push(blocks.filter((block) => block !== '').join('\n\n'));
  }
  const { title, description } = await readCoreProperties(office);
  return {
    text: texts.join('\n\n'),
    title: title || null,
    titleSource: title ? 'properties' : null,
    description,
    metadata: {
      sheets: sheets.filter((sheet) => sheet.isGrid).length,
      hiddenSheets: sheets.filter((sheet) => sheet.hidden).length,
    },
    truncated: reading.truncated,
  };
}

async function readSheet(reading: Reading, sheet: SheetEntry): Promise<string[]> {
  const { limits, archive } = reading.office;
  const rows: SheetRow[] = [];
  const merged: CellRange[] = [];
  const heads = await readTableHeads(reading.office, sheet.part);
  let over = false;
  let isComplete = false;
  const sink = {
    row(raw: RawCell[], number: number) {
      const cells = new Map<number, string>();
      for (const cell of raw) {
        const { isStruck } = reading.formats.font(cell.style);
        const text = joinStruck(withStrike(isStruck, showCell(cell, reading)));
        if (text.trim() !== '') cells.set(cell.column, text);
      }
      if (cells.size === 0) return;
      over = rows.length >= limits.sheetRows || reading.cellsLeft <= 0 || reading.charsLeft <= 0;
      reading.truncated ||= over;
      if (over) return;
      const isBold = raw.every(({ style }) => reading.formats.font(style).isBold);
      rows.push({ number, cells, isBold, hasSpan: false });
      reading.cellsLeft -= cells.size;
      for (const text of cells.values()) reading.charsLeft -= text.length + DIVIDER_CHARS;
    },
    lost() {
      reading.truncated = true;
    },
    frozen(number: number) {
      if (number <= MAX_FROZEN_ROWS) heads.add(number);
    },
    merged(range: CellRange) {
      if (merged.length < MAX_MERGED) merged.push(range);
    },
    complete() {
      isComplete = true;
    },
    full: () => over,
  };
  const read = readPart(archive, sheet.part, createSheetReader(sink), limits);
  await read.catch((error: unknown) => {
    // Damage behind the rows concerns only how they are shown.
    if (!isComplete || !(error instanceof ExtractError) || error.code !== 'FILE_UNPARSABLE') throw error;
  });
  fillMerged(rows, merged);
  return sheetLines(rows, heads);
}

function showCell(cell: RawCell, { strings, formats, is1904 }: Reading): string {
  if (cell.value === '') return `=${cell.formula}`;
  const shown = (text: string): string => {
    const { symbols } = formats.font(cell.style);
    return symbols === '' ? text : shownSymbols(text, symbols);
  };
  switch (cell.type) {
    case 's':
      return shown(strings.list[Number(cell.value)] ?? '');
    case 'str':
    case 'inlineStr':
      return shown(cell.value);
    case 'b':
      return /^(1|true)$/.test(cell.value) ? 'TRUE' : 'FALSE';
    case 'd':
      return cell.value.replace(/T00:00:00(\.0+)?Z?$/, '').replace('T', ' ');
    case 'e':
      return cell.value;
    default: {
      const value = Number(cell.value);
      if (!Number.isFinite(value)) return cell.value;
      return formats.format(cell.style)(value, is1904) || generalNumber(value);
    }
  }
}
