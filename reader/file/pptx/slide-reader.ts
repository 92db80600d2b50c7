import { plainShifts, withShift } from '../../shifted-text.js';
import { joinStruck, withStrike } from '../../struck-text.js';
import { answerOf, shownSymbols } from '../../symbol-fonts.js';
import type { SpannedCell } from '../../table-grid.js';
import { createAlternates } from '../office/alternate-content.js';
import { type Graphic, graphicOf } from '../office/graphic-text.js';
import { createMathText } from '../office/math-text.js';
import { type RunShift, shiftOfBaseline } from '../office/run-shift.js';
import { tableText } from '../office/table-text.js';
import type { XmlAttributes } from '../xml/attributes.js';
import type { PartHandler } from '../xml/read-part.js';

interface Shape {
  /** Type of the placeholder, for example `title`, `body` or `sldNum`; empty for other shapes. */
  placeholder: string;
  text: string;
  /** The chart or diagram in the shape. */
  graphic: Graphic | null;
}

export interface Slide {
  hidden: boolean;
  shapes: Shape[];
}

/** Shapes on slides, and in drawings on worksheets. */
const isShape = /^(?:p|xdr):(?:sp|graphicFrame|cxnSp)$/;

/** Reads the shapes of a slide, notes page or drawing in order, including those in groups. */
export function createSlideReader(): { handler: PartHandler; slide: Slide } {
  const slide: Slide = { hidden: false, shapes: [] };
  let shape: Shape = newShape();
  let paragraph = '';
  let bullet = false;
  let bulletFont = '';
  /** Sign of a bullet that says yes or no. */
  let answer = '';
  let level = 0;
  let lines: string[] = [];
  let rows: SpannedCell[][] | null = null;
  let cell: SpannedCell | null = null;
  let collecting = false;
  let field = '';
  let shift: RunShift = null;
  let isStruck = false;
  let font = '';
  let symbolFont = '';
  let emitted = 0;
  let skipped = 0;
  const math = createMathText();
  const alternates = createAlternates(() => emitted);

  function append(text: string): void {
    paragraph += text;
    emitted += text.length;
  }

  function open(name: string, attributes: XmlAttributes): void {
    if (skipped > 0 || alternates.open(name)) {
      skipped++;
      return;
    }
    if (name === 'p:sld') slide.hidden = /^(0|false)$/.test(attributes.get('show') ?? '');
    else if (isShape.test(name)) startShape();
    else if (name === 'p:ph') shape.placeholder = attributes.get('type') ?? 'body';
    else if (name === 'a:p') {
      paragraph = '';
      bullet = false;
      bulletFont = '';
      answer = '';
      level = 0;
    } else if (name === 'a:pPr') level = Number(attributes.get('lvl') ?? 0) || 0;
    else if (name === 'a:buFont') bulletFont = attributes.get('typeface') ?? '';
    else if (name === 'a:buChar' || name === 'a:buAutoNum') {
      bullet = true;
      answer = answerOf(attributes.get('char') ?? '', bulletFont);
    } else if (name === 'a:fld') field = attributes.get('type') ?? '';
    else if (name === 'a:r') {
      shift = null;
      isStruck = false;
      font = '';
      symbolFont = '';
    } else if (name === 'a:rPr') {
      shift = shiftOfBaseline(attributes.get('baseline'));
      isStruck = /Strike$/.test(attributes.get('strike') ?? '') && attributes.get('strike') !== 'noStrike';
    } else if (name === 'a:latin' || name === 'a:sym') readFont(name, attributes.get('typeface') ?? '');
    else if (name === 'a:t' || name === 'm:t') collecting = field !== 'slidenum';
    else if (name === 'a:br') append('\n');
    else if (name === 'a:tab') append('\t');
    else if (name === 'a:tbl') rows = [];
    else if (name === 'a:tr') rows?.push([]);
    else if (name === 'a:tc') {
      lines = [];
      cell = openCell(attributes, rows?.at(-1)?.at(-1));
    } else if (name.startsWith('m:')) paragraph = math.open(name, attributes, paragraph);
    else readGraphic(graphicOf(name, attributes));
  }

  /** The font for symbols applies to private-use characters only, which are written by themselves. */
  function readFont(name: string, typeface: string): void {
    if (name === 'a:latin') font = typeface;
    else symbolFont = typeface;
  }

  function readGraphic(graphic: Graphic | null): void {
    if (graphic === null) return;
    shape.graphic ??= graphic;
    // An alternative with a chart has text.
    emitted++;
  }

  function close(name: string): void {
    if (skipped > 0) {
      skipped--;
      return;
    }
    alternates.close(name);
    if (name.startsWith('m:')) paragraph = math.close(name, paragraph);
    if (name === 'a:t' || name === 'm:t') collecting = false;
    else if (name === 'a:fld') field = '';
    else if (name === 'a:p') closeParagraph();
    else if (name === 'a:tc') {
      if (cell) rows?.at(-1)?.push({ ...cell, text: lines.join('\n') });
      cell = null;
      lines = [];
    } else if (name === 'a:tbl') {
      if (rows) lines = [tableText({ rows, heads: 0 })];
      rows = null;
    } else if (isShape.test(name)) endShape();
  }

  function closeParagraph(): void {
    const text = joinStruck(plainShifts(paragraph)).trim();
    paragraph = '';
    if (text === '') return;
    const depth = Math.min(Math.max(level, 0), 8);
    const listed = rows === null && (bullet || depth > 0);
    lines.push(listed ? `${'  '.repeat(depth)}- ${answer}${text}` : `${answer}${text}`);
  }

  function startShape(): void {
    shape = newShape();
    lines = [];
  }

  function endShape(): void {
    shape.text = lines.join('\n');
    if (shape.text !== '' || shape.graphic) slide.shapes.push(shape);
    startShape();
  }

  const text = (piece: string) => {
    if (collecting && skipped === 0)
      append(
        withShift(
          shift,
          withStrike(
            isStruck,
            shownSymbols(piece, /[\uf000-\uf0ff]/.test(piece) ? symbolFont || font : font),
          ),
        ),
      );
  };
  return { handler: { open, close, text }, slide };
}

const isTrue = (value = ''): boolean => /^(?:1|true)$/.test(value);

/** Returns an empty cell; null if it belongs to the cell before it. Merged cells are all in the file, one per column. */
function openCell(attributes: XmlAttributes, before: SpannedCell | undefined): SpannedCell | null {
  if (before && isTrue(attributes.get('hMerge'))) {
    before.columns++;
    return null;
  }
  return { text: '', columns: 1, rows: 1, isContinued: isTrue(attributes.get('vMerge')) };
}

const newShape = (): Shape => ({ placeholder: '', text: '', graphic: null });
