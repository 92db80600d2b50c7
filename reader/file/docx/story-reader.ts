import { plainShifts, withShift } from '../../shifted-text.js';
import { joinStruck, withStrike } from '../../struck-text.js';
import { shownSymbols } from '../../symbol-fonts.js';
import type { SpannedCell } from '../../table-grid.js';
import { createAlternates } from '../office/alternate-content.js';
import { type Graphic, graphicOf } from '../office/graphic-text.js';
import { createMathText } from '../office/math-text.js';
import { type RunShift, shiftOfAlign, shiftOfPosition } from '../office/run-shift.js';
import { type OfficeTable, tableText } from '../office/table-text.js';
import type { XmlAttributes } from '../xml/attributes.js';
import type { PartHandler } from '../xml/read-part.js';
import { type Block, joinBlocks } from './blocks.js';
import { createFields } from './fields.js';
import { finishParagraph, type Lists, newParagraph, type Paragraph } from './paragraph.js';
import { headingOfOutline } from './styles.js';
import { symbolText } from './symbols.js';

/** Elements that are skipped: deleted or moved content, former properties, and ruby text. */
const leftOut = new Set([
  'w:del',
  'w:moveFrom',
  'w:pPrChange',
  'w:rPrChange',
  'w:tblPrChange',
  'w:trPrChange',
  'w:tcPrChange',
  'w:tblPrExChange',
  'w:sectPrChange',
  'w:rt',
]);

interface Table extends OfficeTable {
  rowDeleted: boolean;
  /** Properties of the cell that is being read. */
  columns: number;
  isContinued: boolean;
  /** Whether the cell belongs to the one before it. */
  isMerged: boolean;
  /** Columns to leave free at the end of the row. */
  columnsAfter: number;
}

const newTable = (): Table => ({
  rows: [],
  heads: 0,
  rowDeleted: false,
  columns: 1,
  isContinued: false,
  isMerged: false,
  columnsAfter: 0,
});

const MAX_SPAN = 64;

/** Blocks of the main text, a cell, a text box or a note. `end` is the element that closes it. */
interface Flow {
  end: string;
  blocks: Block[];
  id: string;
  /** Author of a comment. */
  by?: string;
}

/** Text of one part: main text, notes, header or footer. */
export interface Story {
  blocks: Block[];
  notes: Map<string, string>;
  /** Charts and diagrams, each with the block for its text. */
  graphics: { graphic: Graphic; block: Block }[];
  /** Embedded parts by relationship id, each with the block for its text. */
  chunks: { id: string; block: Block }[];
  /** References to comments, each with the block for the comment. */
  comments: { id: string; block: Block }[];
  title: string;
  firstHeading: string;
}

export interface StoryOptions {
  lists: Lists;
  /** Returns the marker of a reference to a note. */
  noteMark(kind: 'footnote' | 'endnote', id: string): string;
  /** Maximum characters to read. */
  maxChars: number;
}

/** Reads the paragraphs and tables of one WordprocessingML part. */
export function createStoryReader(options: StoryOptions): {
  handler: PartHandler;
  story: Story;
  /** Closes the blocks that are still open if reading stopped early. */
  finish(): void;
  cut(): boolean;
} {
  const story: Story = {
    blocks: [],
    notes: new Map(),
    graphics: [],
    chunks: [],
    comments: [],
    title: '',
    firstHeading: '',
  };
  const flows: Flow[] = [{ end: '', blocks: story.blocks, id: '' }];
  const tables: Table[] = [];
  const paragraphs: Paragraph[] = [];
  /** Charts, comments and embedded parts in the outermost open table. They stand below it. */
  let afterTable: Block[] = [];
  const path: string[] = [];
  let skipped = 0;
  let collecting = false;
  let hidden = false;
  let emitted = 0;
  /** Whether the last content control is empty and shows what to enter. */
  let showsPlaceholder = false;
  let runOn = '';
  let font = '';
  let shift: RunShift = null;
  let isStruck = false;
  const alternates = createAlternates(() => emitted);
  const math = createMathText();
  const fields = createFields();

  const blocksHere = () => flows.at(-1)?.blocks ?? story.blocks;
  const parent = (steps: number) => path[path.length - steps];

  function append(text: string): void {
    const paragraph = paragraphs.at(-1);
    if (!paragraph || hidden || fields.isInCode()) return;
    paragraph.text += text;
    emitted += text.length;
  }

  /** Writes the signs of formulas. They count towards the limit. */
  function writeMath(write: (line: string) => string): void {
    const paragraph = paragraphs.at(-1);
    if (!paragraph || hidden) return;
    const line = write(paragraph.text);
    emitted += Math.max(0, line.length - paragraph.text.length);
    paragraph.text = line;
  }

  function open(name: string, attributes: XmlAttributes): void {
    const within = path.at(-1);
    path.push(name);
    if (name === 'w:del' && within === 'w:rPr' && parent(3) === 'w:pPr') markParagraphDeleted();
    if (name === 'w:del' && within === 'w:trPr') markRowDeleted();
    if (name === 'w:sdt') showsPlaceholder = false;
    const isPlaceholder = name === 'w:sdtContent' && showsPlaceholder;
    if (skipped > 0 || isPlaceholder || leftOut.has(name) || alternates.open(name)) {
      skipped++;
      return;
    }
    if (name === 'w:p') {
      paragraphs.push(newParagraph(runOn));
      runOn = '';
    } else if (within === 'w:pPr' || within === 'w:numPr') paragraphProperty(name, attributes);
    else if (name === 'w:r') openRun();
    else if (name === 'w:rFonts') font = attributes.get('w:ascii') ?? attributes.get('w:hAnsi') ?? font;
    else if (name === 'w:vertAlign') shift = shiftOfAlign(attributes.get('w:val'));
    else if (name === 'w:position') shift ??= shiftOfPosition(attributes.get('w:val'));
    else if (name === 'w:showingPlcHdr') showsPlaceholder = true;
    else if (name === 'w:rStyle') styleRun(attributes.get('w:val') ?? '');
    else if (name === 'w:strike' || name === 'w:dstrike') isStruck ||= within === 'w:rPr' && isOn(attributes);
    else if (name === 'w:vanish') hidden = within === 'w:rPr' && isOn(attributes);
    else if (name === 'w:t' || name === 'm:t') collecting = true;
    else if (name === 'w:tbl') tables.push(newTable());
    else if (name === 'w:tr') tables.at(-1)?.rows.push([]);
    else if (name === 'w:tc' || name === 'w:txbxContent') flows.push({ end: name, blocks: [], id: '' });
    else if (within === 'w:tcPr' || within === 'w:trPr') tableProperty(name, attributes);
    else if (name === 'w:footnote' || name === 'w:endnote' || name === 'w:comment')
      openNote(name, attributes);
    else inlineElement(name, attributes);
  }

  function openRun(): void {
    hidden = false;
    font = '';
    shift = null;
    isStruck = false;
  }

  function styleRun(style: string): void {
    shift = options.lists.shiftOfStyle(style);
    font ||= options.lists.fontOfStyle(style);
  }

  function inlineElement(name: string, attributes: XmlAttributes): void {
    if (name === 'w:tab' || name === 'w:ptab') append('\t');
    else if (name === 'w:br' || name === 'w:cr') append('\n');
    else if (name === 'w:noBreakHyphen') append('-');
    else if (name === 'w:sym')
      append(symbolText(attributes.get('w:char') ?? '', attributes.get('w:font') ?? ''));
    else if (name === 'v:textpath') append(attributes.get('string') ?? '');
    else if (name.startsWith('m:')) writeMath((line) => math.open(name, attributes, line));
    else if (name === 'w:altChunk')
      story.chunks.push({ id: attributes.get('r:id') ?? '', block: emptyBlock() });
    else if (name === 'w:commentReference')
      story.comments.push({ id: attributes.get('w:id') ?? '', block: emptyBlock() });
    else if (name === 'w:footnoteReference' || name === 'w:endnoteReference') {
      const kind = name === 'w:footnoteReference' ? 'footnote' : 'endnote';
      append(options.noteMark(kind, attributes.get('w:id') ?? ''));
    } else {
      const graphic = graphicOf(name, attributes);
      if (graphic) {
        story.graphics.push({ graphic, block: emptyBlock() });
        // An alternative with a chart has text.
        emitted++;
      } else append(fields.open(name, attributes));
    }
  }

  /** Adds a block after the paragraph or table, to be filled later. */
  function emptyBlock(): Block {
    const block = { text: '', tight: false };
    if (tables.length > 0) afterTable.push(block);
    else (paragraphs.at(-1)?.boxes ?? blocksHere()).push(block);
    return block;
  }

  function paragraphProperty(name: string, attributes: XmlAttributes): void {
    const paragraph = paragraphs.at(-1);
    if (!paragraph) return;
    const value = attributes.get('w:val') ?? '';
    if (name === 'w:pStyle') paragraph.styleId = value;
    else if (name === 'w:numId') paragraph.numId = value;
    else if (name === 'w:ilvl') paragraph.level = Number(value);
    else if (name === 'w:outlineLvl') {
      const heading = headingOfOutline(value);
      if (heading !== undefined) paragraph.outline = heading;
    }
  }

  function markParagraphDeleted(): void {
    const paragraph = paragraphs.at(-1);
    if (paragraph && skipped === 0) paragraph.markDeleted = true;
  }

  function markRowDeleted(): void {
    const table = tables.at(-1);
    if (table) table.rowDeleted = true;
  }

  function tableProperty(name: string, attributes: XmlAttributes): void {
    const table = tables.at(-1);
    if (!table) return;
    const value = attributes.get('w:val');
    const span = Math.min(Math.max(Number(value) || 0, 0), MAX_SPAN);
    if (name === 'w:gridSpan') table.columns = Math.max(span, 1);
    else if (name === 'w:vMerge') table.isContinued = value !== 'restart';
    else if (name === 'w:hMerge') table.isMerged = value !== 'restart';
    else if (name === 'w:gridBefore') table.rows.at(-1)?.push(...emptyCells(span));
    else if (name === 'w:gridAfter') table.columnsAfter = span;
    else if (name === 'w:tblHeader' && isOn(attributes) && table.heads === table.rows.length - 1)
      table.heads++;
  }

  function openNote(name: string, attributes: XmlAttributes): void {
    const isSeparator = /separator|continuation/i.test(attributes.get('w:type') ?? '');
    const by = attributes.get('w:author')?.trim() ?? '';
    flows.push({ end: name, blocks: [], id: isSeparator ? '' : (attributes.get('w:id') ?? ''), by });
  }

  function close(name: string): void {
    path.pop();
    if (skipped > 0) {
      skipped--;
      return;
    }
    alternates.close(name);
    if (name.startsWith('m:')) writeMath((line) => math.close(name, line));
    if (name === 'w:t' || name === 'm:t') collecting = false;
    else if (name === 'w:r') hidden = false;
    else if (name === 'w:p') closeParagraph();
    else if (name === 'w:tr') closeRow();
    else if (name === 'w:tbl') closeTable();
    else if (name === flows.at(-1)?.end) closeFlow(name);
  }

  function closeParagraph(): void {
    const paragraph = paragraphs.pop();
    if (!paragraph) return;
    if (paragraph.markDeleted) {
      runOn = paragraph.text;
      blocksHere().push(...paragraph.boxes);
      return;
    }
    paragraph.text = joinStruck(plainShifts(paragraph.text));
    const { block, heading } = finishParagraph(paragraph, options.lists);
    if (heading === 0) story.title ||= paragraph.text.trim();
    else if (heading !== undefined && heading <= 2) story.firstHeading ||= paragraph.text.trim();
    blocksHere().push(block, ...paragraph.boxes);
  }

  function closeRow(): void {
    const table = tables.at(-1);
    if (!table) return;
    table.rows.at(-1)?.push(...emptyCells(table.columnsAfter));
    if (table.rowDeleted) table.rows.pop();
    table.columnsAfter = 0;
    table.rowDeleted = false;
  }

  function closeTable(): void {
    const table = tables.pop();
    if (table) blocksHere().push({ text: tableText(table), tight: false });
    if (tables.length > 0) return;
    blocksHere().push(...afterTable);
    afterTable = [];
  }

  function closeFlow(name: string): void {
    const flow = flows.pop();
    if (!flow) return;
    const text = joinBlocks(flow.blocks);
    if (name === 'w:tc') addCell(text);
    else if (name === 'w:txbxContent')
      (paragraphs.at(-1)?.boxes ?? blocksHere()).push({ text, tight: false });
    else if (flow.id !== '' && text !== '')
      story.notes.set(
        flow.id,
        name === 'w:comment' ? `Comment${flow.by ? ` by ${flow.by}` : ''}: ${text}` : text,
      );
  }

  function addCell(text: string): void {
    const table = tables.at(-1);
    if (!table) return;
    const { columns, isContinued, isMerged } = table;
    const before = isMerged ? table.rows.at(-1)?.at(-1) : undefined;
    if (before) before.columns += columns;
    else table.rows.at(-1)?.push({ text: isContinued ? '' : text, columns, rows: 1, isContinued });
    table.columns = 1;
    table.isContinued = false;
    table.isMerged = false;
  }

  const cut = () => emitted > options.maxChars;
  return {
    handler: {
      open,
      close,
      text: (text) => {
        if (collecting && skipped === 0)
          append(withShift(shift, withStrike(isStruck, shownSymbols(text, font))));
      },
      done: cut,
    },
    story,
    finish() {
      for (let name = path.at(-1); name !== undefined; name = path.at(-1)) close(name);
    },
    cut,
  };
}

const emptyCells = (count: number): SpannedCell[] =>
  Array.from({ length: count }, () => ({ text: '', columns: 1, rows: 1 }));

function isOn(attributes: XmlAttributes): boolean {
  const value = attributes.get('w:val') ?? 'true';
  return value !== '0' && value !== 'false' && value !== 'off';
}
