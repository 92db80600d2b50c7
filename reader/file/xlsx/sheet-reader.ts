import { plainShifts, withShift } from '../../shifted-text.js';
import { shownSymbols } from '../../symbol-fonts.js';
import { type RunShift, shiftOfAlign } from '../office/run-shift.js';
import type { XmlAttributes } from '../xml/attributes.js';
import type { PartHandler } from '../xml/read-part.js';
import { type CellRange, columnOf, rangeOf } from './cell-range.js';
import { decodeEscapes } from './workbook.js';

/** A cell value as stored in the file. */
export interface RawCell {
  /** 0-based. */
  column: number;
  type: string;
  style: number;
  value: string;
  formula: string;
}

export interface SheetSink {
  /** `number` is the row's number in the sheet, from 1. */
  row(cells: RawCell[], number: number): void;
  /** Called for each cell beyond the last column of a sheet. Such cells are left out. */
  lost(): void;
  /** Called for the last of the rows that do not scroll. */
  frozen(number: number): void;
  merged(range: CellRange): void;
  /** Called when all rows have been read. */
  complete(): void;
  /** Returns true to stop reading. */
  full(): boolean;
}

/** Excel's last column, XFD. */
const COLUMNS = 16_384;
/** Maximum characters in one cell. Excel allows 32,767. */
const CELL_CHARS = 65_536;

/** Elements between the rows and the merged cells of a worksheet (ECMA-376 part 1, 18.3.1.99). */
const beforeMerged = new Set([
  's:sheetCalcPr',
  's:sheetProtection',
  's:protectedRanges',
  's:protectedRange',
  's:scenarios',
  's:autoFilter',
  's:sortState',
  's:dataConsolidate',
  's:customSheetViews',
  's:mergeCells',
  's:mergeCell',
]);

/** Streams the rows of a worksheet and its merged cells. Skips the rest of the part (validations, formatting, links). */
export function createSheetReader(sink: SheetSink): PartHandler {
  let cells: RawCell[] = [];
  let cell: RawCell | undefined;
  let hasValue = false;
  let collecting: 'value' | 'formula' | null = null;
  let phonetic = false;
  let shift: RunShift = null;
  let font = '';
  let nextColumn = 0;
  let rowNumber = 0;
  let rowsEnded = false;
  let depthAfter = 0;
  let ended = false;

  function openCell(attributes: XmlAttributes): void {
    const column = columnOf(attributes.get('r')) ?? nextColumn;
    nextColumn = column + 1;
    hasValue = false;
    openRun();
    cell = {
      column,
      type: attributes.get('t') ?? 'n',
      style: Number(attributes.get('s') ?? 0),
      value: '',
      formula: '',
    };
  }

  function openRun(): void {
    shift = null;
    font = '';
  }

  function closeCell(): void {
    if (cell && cell.column >= COLUMNS) sink.lost();
    else if (cell && !isBlank(cell)) {
      if (cell.type === 'str' || cell.type === 'inlineStr')
        cell.value = decodeEscapes(plainShifts(cell.value));
      cells.push(cell);
    }
    cell = undefined;
  }

  /** A formula with an empty result is blank; one without a stored result is shown. */
  const isBlank = ({ value, formula, type }: RawCell): boolean =>
    value === '' && (formula === '' || hasValue || type === 'str');

  function openAfterRows(name: string, attributes: XmlAttributes): void {
    depthAfter++;
    ended ||= depthAfter === 1 && !beforeMerged.has(name);
    const range = name === 's:mergeCell' ? rangeOf(attributes.get('ref') ?? '') : null;
    if (range) sink.merged(range);
  }

  return {
    open(name, attributes) {
      if (rowsEnded) openAfterRows(name, attributes);
      else if (name === 's:c') openCell(attributes);
      else if (name === 's:v') {
        hasValue = true;
        collecting = 'value';
      } else if (name === 's:f') collecting = 'formula';
      else if (name === 's:t') collecting = phonetic ? null : 'value';
      else if (name === 's:r') openRun();
      else if (name === 's:vertAlign') shift = shiftOfAlign(attributes.get('val'));
      else if (name === 's:rFont') font = attributes.get('val') ?? '';
      else if (name === 's:rPh') phonetic = true;
      else if (name === 's:row') {
        cells = [];
        nextColumn = 0;
        rowNumber = Number(attributes.get('r')) || rowNumber + 1;
      } else if (name === 's:pane' && attributes.get('state') === 'frozen')
        sink.frozen(Number(attributes.get('ySplit') ?? 0));
    },
    close(name) {
      if (rowsEnded) {
        depthAfter--;
        ended ||= name === 's:mergeCells';
      } else if (name === 's:v' || name === 's:f' || name === 's:t') collecting = null;
      else if (name === 's:rPh') phonetic = false;
      else if (name === 's:c') closeCell();
      else if (name === 's:row') {
        if (!ended && cells.length > 0) sink.row(cells, rowNumber);
        cells = [];
      } else if (name === 's:sheetData') {
        rowsEnded = true;
        sink.complete();
      }
      ended ||= sink.full();
    },
    text(text) {
      if (collecting === null || !cell || cell[collecting].length >= CELL_CHARS) return;
      const isValue = collecting === 'value';
      cell[collecting] += isValue ? withShift(shift, font === '' ? text : shownSymbols(text, font)) : text;
    },
    done: () => ended,
  };
}
