import { plainShifts, withShift } from '../../shifted-text.js';
import { joinStruck, withStrike } from '../../struck-text.js';
import { isSymbolFont, shownSymbols } from '../../symbol-fonts.js';
import { type CellFormat, cellFormat } from '../office/number-format.js';
import { ignoreDamage, type OfficePackage } from '../office/package.js';
import { type RunShift, shiftOfAlign } from '../office/run-shift.js';
import type { XmlAttributes } from '../xml/attributes.js';
import { readPart } from '../xml/read-part.js';

export interface SheetEntry {
  name: string;
  hidden: boolean;
  part: string;
  /** False for a chart sheet, which has no cells. */
  isGrid: boolean;
}

export interface Workbook {
  sheets: SheetEntry[];
  is1904: boolean;
}

/** Lists worksheets and chart sheets in tab order. A part used by several sheets counts once. */
export async function readWorkbook(office: OfficePackage): Promise<Workbook> {
  const parts = new Map<string, { part: string; isGrid: boolean }>();
  const listed = new Set<string>();
  for (const { id, type, target } of await office.relationships(office.mainPart)) {
    if (type === 'worksheet' || type === 'chartsheet') {
      parts.set(id, { part: target, isGrid: type === 'worksheet' });
    }
  }
  const workbook: Workbook = { sheets: [], is1904: false };
  const open = (name: string, attributes: XmlAttributes) => {
    if (name === 's:workbookPr') workbook.is1904 = /^(1|true)$/.test(attributes.get('date1904') ?? '');
    if (name !== 's:sheet') return;
    const sheet = parts.get(attributes.get('r:id') ?? '');
    if (sheet === undefined || listed.has(sheet.part)) return;
    listed.add(sheet.part);
    const hidden = (attributes.get('state') ?? 'visible') !== 'visible';
    workbook.sheets.push({ name: attributes.get('name') ?? '', hidden, ...sheet });
  };
  await readPart(office.archive, office.mainPart, { open }, office.limits);
  return workbook;
}

/**
 * Excel allows 250 formats. numfmt caches the last 1,000 parsed formats, and each may be parsed in two spellings here.
 */
const CUSTOM_FORMATS = 400;

interface CellFont {
  isBold: boolean;
  isStruck: boolean;
  /** Name of a font with symbols instead of letters; empty for other fonts. */
  symbols: string;
}

/** Number format and font for the style index of a cell. */
export interface CellFormats {
  format(style: number): CellFormat;
  font(style: number): CellFont;
}

const plainFont: CellFont = { isBold: false, isStruck: false, symbols: '' };

export async function readCellFormats(office: OfficePackage): Promise<CellFormats> {
  const custom = new Map<number, string>();
  const styles: { format: number; font: number }[] = [];
  const fonts: CellFont[] = [];
  let within = '';
  const handler = {
    open(name: string, attributes: XmlAttributes) {
      if (name === 's:numFmt' && custom.size < CUSTOM_FORMATS) {
        custom.set(Number(attributes.get('numFmtId')), attributes.get('formatCode') ?? '');
      } else if (name === 's:cellXfs' || name === 's:fonts') within = name;
      else if (name === 's:xf' && within === 's:cellXfs') {
        const numberOf = (attribute: string) => Number(attributes.get(attribute) ?? 0);
        styles.push({ format: numberOf('numFmtId'), font: numberOf('fontId') });
      } else if (within === 's:fonts') fontProperty(name, attributes.get('val'));
    },
    close(name: string) {
      if (name === within) within = '';
    },
  };

  function fontProperty(name: string, value: string | undefined): void {
    const font = fonts.at(-1);
    if (name === 's:font') fonts.push({ ...plainFont });
    else if (font && name === 's:b') font.isBold = value !== '0' && value !== 'false';
    else if (font && name === 's:strike') font.isStruck = value !== '0' && value !== 'false';
    else if (font && name === 's:name' && value !== undefined && isSymbolFont(value)) font.symbols = value;
  }

  await ignoreDamage(readPart(office.archive, await partOfType(office, 'styles'), handler, office.limits));
  const formats = new Map<number, CellFormat>();
  return {
    format(style) {
      const id = styles[style]?.format ?? 0;
      const format = formats.get(id) ?? cellFormat(id, custom);
      formats.set(id, format);
      return format;
    },
    font: (style) => fonts[styles[style]?.font ?? 0] ?? plainFont,
  };
}

export interface SharedStrings {
  list: string[];
  /** True if the workbook has more strings than the limit. */
  cut: boolean;
}

/** Reads the string table. Joins rich text and skips phonetic readings. */
export async function readSharedStrings(office: OfficePackage): Promise<SharedStrings> {
  const strings: SharedStrings = { list: [], cut: false };
  let item = '';
  let collecting = false;
  let phonetic = false;
  let chars = 0;
  let shift: RunShift = null;
  let font = '';
  let isStruck = false;
  const handler = {
    open(name: string, attributes: XmlAttributes) {
      if (name === 's:si') item = '';
      if (name === 's:si' || name === 's:r') {
        shift = null;
        font = '';
        isStruck = false;
      } else if (name === 's:rFont') font = attributes.get('val') ?? '';
      else if (name === 's:strike') isStruck = !/^(?:0|false)$/.test(attributes.get('val') ?? '');
      else if (name === 's:vertAlign') shift = shiftOfAlign(attributes.get('val'));
      else if (name === 's:rPh') phonetic = true;
      else if (name === 's:t') collecting = !phonetic;
    },
    close(name: string) {
      if (name === 's:t') collecting = false;
      else if (name === 's:rPh') phonetic = false;
      else if (name === 's:si') {
        chars += item.length;
        strings.list.push(decodeEscapes(joinStruck(plainShifts(item))));
      }
    },
    text(text: string) {
      if (collecting)
        item += withShift(shift, withStrike(isStruck, font === '' ? text : shownSymbols(text, font)));
    },
    done() {
      strings.cut ||= chars + item.length > office.limits.sharedStringChars;
      return strings.cut;
    },
  };
  const part = await partOfType(office, 'sharedStrings');
  await readPart(office.archive, part, handler, office.limits);
  return strings;
}

/** `_x000D_` encodes a character that XML cannot hold (ECMA-376 part 1, 22.4.2.4). */
export const decodeEscapes = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9a-fA-F]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text;

async function partOfType(office: OfficePackage, type: string): Promise<string> {
  const found = (await office.relationships(office.mainPart)).find((one) => one.type === type);
  return found?.target ?? `xl/${type}.xml`;
}
