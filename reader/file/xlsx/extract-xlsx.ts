import type { Archive } from '../archive/archive.js';
import type { DocumentText } from '../document.js';
import type { ExtractLimits } from '../limits.js';
import { type OfficePackage, openPackage, readCoreTitle } from '../office/package.js';
import { readPart } from '../xml/read-part.js';
import { generalNumber } from './number-format.js';
import { readSheetExtras } from './sheet-extras.js';
import { createSheetReader, type RawCell } from './sheet-reader.js';
import { createSheetText, type ShownCell } from './sheet-text.js';
import {
  type CellFormats,
  readCellFormats,
  readSharedStrings,
  readWorkbook,
  type SharedStrings,
  type SheetEntry,
} from './workbook.js';

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
  const title = await readCoreTitle(office);
  return {
    text: texts.join('\n\n'),
    title: title || null,
    titleSource: title ? 'properties' : null,
    metadata: {
      sheets: sheets.filter((sheet) => sheet.isGrid).length,
      hiddenSheets: sheets.filter((sheet) => sheet.hidden).length,
    },
    truncated: reading.truncated,
  };
}

async function readSheet(reading: Reading, sheet: SheetEntry): Promise<string[]> {
  const { limits, archive } = reading.office;
  const layout = createSheetText();
  const lines: string[] = [];
  let over = false;
  const sink = {
    row(raw: RawCell[]) {
      const cells = raw.map((cell) => showCell(cell, reading)).filter((cell) => cell.text.trim() !== '');
      if (cells.length === 0) return;
      over = lines.length >= limits.sheetRows || reading.cellsLeft <= 0 || reading.charsLeft <= 0;
      reading.truncated ||= over;
      if (over) return;
      const line = layout.add(cells);
      lines.push(line);
      reading.cellsLeft -= cells.length;
      reading.charsLeft -= line.length + 1;
    },
    lost() {
      reading.truncated = true;
    },
    full: () => over,
  };
  await readPart(archive, sheet.part, createSheetReader(sink), limits);
  return lines;
}

function showCell(cell: RawCell, { strings, formats, is1904 }: Reading): ShownCell {
  if (cell.value === '') return { column: cell.column, text: `=${cell.formula}`, isText: false };
  const shown = (text: string, isText: boolean): ShownCell => ({ column: cell.column, text, isText });
  switch (cell.type) {
    case 's':
      return shown(strings.list[Number(cell.value)] ?? '', true);
    case 'str':
    case 'inlineStr':
      return shown(cell.value, true);
    case 'b':
      return shown(/^(1|true)$/.test(cell.value) ? 'TRUE' : 'FALSE', false);
    case 'd':
      return shown(cell.value.replace(/T00:00:00(\.0+)?Z?$/, '').replace('T', ' '), false);
    case 'e':
      return shown(cell.value, false);
    default: {
      const value = Number(cell.value);
      if (!Number.isFinite(value)) return shown(cell.value, true);
      return shown(formats(cell.style)(value, is1904) || generalNumber(value), false);
    }
  }
}
