import { plainShifts, withShift } from '../../shifted-text.js';
import { type RunShift, shiftOfAlign } from '../office/run-shift.js';
import type { XmlAttributes } from '../xml/attributes.js';
import type { PartHandler } from '../xml/read-part.js';
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
  row(cells: RawCell[]): void;
  /** Called for each cell beyond the last column of a sheet. Such cells are left out. */
  lost(): void;
  /** Returns true to stop reading. */
  full(): boolean;
}

/** Excel's last column, XFD. */
const COLUMNS = 16_384;
/** Maximum characters in one cell. Excel allows 32,767. */
const CELL_CHARS = 65_536;

/** Streams the rows of a worksheet. Skips the rest of the part (validations, formatting, links). */
export function createSheetReader(sink: SheetSink): PartHandler {
  let cells: RawCell[] = [];
  let cell: RawCell | undefined;
  let collecting: 'value' | 'formula' | null = null;
  let phonetic = false;
  let shift: RunShift = null;
  let nextColumn = 0;
  let ended = false;

  function openCell(attributes: XmlAttributes): void {
    const column = columnOf(attributes.get('r')) ?? nextColumn;
    nextColumn = column + 1;
    shift = null;
    cell = {
      column,
      type: attributes.get('t') ?? 'n',
      style: Number(attributes.get('s') ?? 0),
      value: '',
      formula: '',
    };
  }

  function closeCell(): void {
    if (cell && (cell.value !== '' || cell.formula !== '') && cell.column < COLUMNS) {
      if (cell.type === 'str' || cell.type === 'inlineStr')
        cell.value = decodeEscapes(plainShifts(cell.value));
      cells.push(cell);
    } else if (cell && cell.column >= COLUMNS) sink.lost();
    cell = undefined;
  }

  return {
    open(name, attributes) {
      if (name === 's:c') openCell(attributes);
      else if (name === 's:v') collecting = 'value';
      else if (name === 's:f') collecting = 'formula';
      else if (name === 's:t') collecting = phonetic ? null : 'value';
      else if (name === 's:r') shift = null;
      else if (name === 's:vertAlign') shift = shiftOfAlign(attributes.get('val'));
      else if (name === 's:rPh') phonetic = true;
      else if (name === 's:row') {
        cells = [];
        nextColumn = 0;
      }
    },
    close(name) {
      if (name === 's:v' || name === 's:f' || name === 's:t') collecting = null;
      else if (name === 's:rPh') phonetic = false;
      else if (name === 's:c') closeCell();
      else if (name === 's:row') {
        if (!ended && cells.length > 0) sink.row(cells);
        cells = [];
      } else if (name === 's:sheetData') ended = true;
      ended ||= sink.full();
    },
    text(text) {
      if (collecting !== null && cell && cell[collecting].length < CELL_CHARS)
        cell[collecting] += withShift(shift, text);
    },
    done: () => ended,
  };
}

/** Parses the column of a cell reference: `AB12` is in column 27 (0-based). */
function columnOf(reference: string | undefined): number | undefined {
  if (reference === undefined) return undefined;
  let column = 0;
  for (let i = 0; i < reference.length; i++) {
    const letter = (reference.charCodeAt(i) | 0x20) - 96;
    if (letter < 1 || letter > 26) break;
    column = column * 26 + letter;
  }
  return column > 0 ? column - 1 : undefined;
}
