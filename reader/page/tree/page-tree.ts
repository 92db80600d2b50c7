import type { Shift } from '../../shifted-text.js';
import { isSymbolFont, shownSymbols } from '../../symbol-fonts.js';
import type { Attributes } from './attributes.js';
import { isWithoutText, signOf } from './cell-signs.js';
import { createClassStyles } from './class-styles.js';
import {
  type Contact,
  contactOf,
  hidesContact,
  silentContact,
  writeContact,
  writeReversed,
} from './contacts.js';
import { nameByRole } from './element-names.js';
import { createFormulaReader, type FormulaReader, formulaOfImage, marked } from './formula.js';
import { createListSigns } from './list-signs.js';
import { hintsOf } from './name-hints.js';
import { type PageHead, readHead, readItemType } from './page-head.js';
import { shiftOf, writeShifts } from './shifted-text.js';
import { showSpokenNumbers } from './spoken-text.js';
import { isStruck, writeStruck } from './struck-text.js';
import { headingLevels, silentTags } from './tag-sets.js';

/**
 * A page as a table in document order: the subtree of row i is the rows i..end[i]-1. Code after parsing loops over this
 * table, so that deep nesting cannot exhaust the stack. Row 0 is the document.
 */
export interface PageTree {
  /** Lower-case element name, '' for text, '#document' for row 0. */
  tag: string[];
  /** Text of text rows, '' otherwise. */
  text: string[];
  attributes: Attributes[];
  /** Bit sets of Hint from class, id and role. */
  hints: Int32Array;
  parent: Int32Array;
  end: Int32Array;
  /** Rows that directly contain a form control. */
  fields: ReadonlySet<number>;
  head: PageHead;
  /** True if the end of the page is missing. */
  isCut: boolean;
}

/** Returns the next row outside the subtree, to skip the subtree in a loop. */
export const afterSubtree = (tree: PageTree, row: number): number => tree.end[row] ?? row + 1;

/** Yields the children of a row, including texts. */
export function* childrenOf(tree: PageTree, parent: number): Generator<number> {
  const end = afterSubtree(tree, parent);
  for (let child = parent + 1; child < end; child = afterSubtree(tree, child)) yield child;
}

/** Maximum number of ancestors to visit, so that loops over all rows stay linear on deeply nested pages. */
const MAX_ANCESTORS = 200;

/** Yields the ancestors of a row, nearest first. */
export function* ancestorsOf(tree: PageTree, row: number): Generator<number> {
  let above = tree.parent[row] ?? -1;
  for (let steps = 0; above >= 0 && steps < MAX_ANCESTORS; steps++) {
    yield above;
    above = tree.parent[above] ?? -1;
  }
}

/** Returns whether the subtree of a row contains an element with one of these tags. */
export function holdsTag(tree: PageTree, row: number, ...tags: string[]): boolean {
  const end = afterSubtree(tree, row);
  for (let below = row; below < end; below++) if (tags.includes(tree.tag[below] ?? '')) return true;
  return false;
}

/** Builds the tree from elements and texts in document order. Every opened element must be closed. */
export interface TreeBuilder {
  /** Lower-case name. */
  open(name: string, attributes: Attributes): void;
  text(data: string): void;
  /** Closes the innermost open element. `isImplied` is true if the page has no end tag for it. */
  close(isImplied?: boolean): void;
  /** Returns the tree without invisible elements. `isCut` is true if the page was not read to its end. */
  finish(isCut: boolean): PageTree;
  /** Returns the number of open elements, including invisible ones. */
  depth(): number;
  /** Returns whether a missing end tag is likely: nested links or headings, or an unclosed drawing. */
  isBroken(): boolean;
}

const documentTag = '#document';
const fieldTags: ReadonlySet<string> = new Set(['input', 'textarea', 'select', 'button']);
const sideTags: ReadonlySet<string> = new Set(['aside', 'nav']);
const contentTags: ReadonlySet<string> = new Set(['h1', 'main', 'article']);
/** Marks a possible line break and is not part of the word. */
const softHyphen = '\u00ad';
const noAttributes: Attributes = Object.freeze({});
/**
 * Tags that only frame a page. According to the HTML standard, all content is in one body, wherever these tags occur.
 */
const frameTags: ReadonlySet<string> = new Set(['html', 'head', 'body']);
const BODY = 2;

/** Elements that are still open at the end contain everything after their start tag. */
export function createTreeBuilder(): TreeBuilder {
  const tag = [documentTag, 'html', 'body'];
  const text = ['', '', ''];
  const attributes = [noAttributes, noAttributes, noAttributes];
  const hints = [0, 0, 0];
  const parent = [-1, 0, 1];
  const end = [0, 0, 0];
  const fields = new Set<number>();
  const shifted = new Map<number, Shift>();
  const contacts = new Map<number, Contact>();
  const classStyles = createClassStyles();
  /** Styles of elements that reverse their text. */
  const styles = new Map<number, string>();
  const struck = new Set<number>();
  const symbols = new Map<number, string>();
  const listSigns = createListSigns();
  /** Row of the outermost open table made of other elements; 0 outside. */
  let tableByRole = 0;
  const head: PageHead = {
    title: '',
    meta: new Map(),
    htmlLanguage: '',
    jsonLd: [],
    state: [],
    itemTypes: [],
    hasPasswordField: false,
  };
  /** Rows of the open elements. A frame tag has the row of its parent. */
  const open = [0, 1, BODY];
  let top = BODY;
  let links = 0;
  let headings = 0;
  let isBroken = false;
  /** Number of open elements since the outermost invisible one. */
  let silent = 0;
  let silentName = '';
  let silentAttributes = noAttributes;
  let silentText = '';
  /** Title of the drawing that is being read. */
  let drawingTitle = '';
  let isInTitle = false;
  /** Open cells of tables, from the outermost, with the first sign in each. */
  const cells: { row: number; sign: string }[] = [];
  let formula: FormulaReader | null = null;

  const push = (name: string, data: string, values: Attributes): void => {
    tag.push(name);
    text.push(data);
    attributes.push(values);
    hints.push(hintsOf(values));
    parent.push(top);
    end.push(tag.length);
  };

  const say = (data: string): void => {
    if (data !== '') push('', data, noAttributes);
  };

  const showSign = (sign: string): void => {
    const cell = cells.at(-1);
    if (cell !== undefined && cell.sign === '') cell.sign = sign;
  };

  return {
    open(element, values) {
      const name = nameByRole(element, values, tableByRole > 0);
      if (formula !== null) {
        formula.open(name, values);
        return;
      }
      if (silent > 0) {
        silent += 1;
        isInTitle = silent === 2 && silentName === 'svg' && name === 'title';
        return;
      }
      if (cells.length > 0) showSign(signOf(name, values));
      listSigns.open(name, values, tag.length);
      if (name === 'html' && head.htmlLanguage === '')
        head.htmlLanguage = values.lang ?? values['xml:lang'] ?? '';
      if (frameTags.has(name)) {
        if (name === 'body' && attributes[BODY] === noAttributes) {
          attributes[BODY] = values;
          hints[BODY] = hintsOf(values);
        }
        open.push(top);
        return;
      }
      if (fieldTags.has(name) && values.type?.toLowerCase() !== 'hidden') fields.add(top);
      if (name === 'math') formula = createFormulaReader(values);
      else if (name === 'img') say(formulaOfImage(values) || pictographOf(values));
      else if (name === 'input') say(boxOf(values));
      if (silentTags.has(name) && !isShown(name, values)) {
        silent = 1;
        silentName = name;
        silentAttributes = values;
        silentText = '';
        drawingTitle = '';
        return;
      }
      if (name === 'a') {
        isBroken ||= links > 0;
        links += 1;
      } else if (headingLevels.has(name)) {
        isBroken ||= headings > 0;
        headings += 1;
      }
      if (values.itemtype !== undefined) readItemType(head, values.itemtype);
      if (tableByRole === 0 && name === 'table' && element !== 'table') tableByRole = tag.length;
      const style = classStyles.styleOf(values);
      if (style?.includes('bidi-override') === true) styles.set(tag.length, style);
      const shift = shiftOf(name, values, style);
      if (shift !== null) shifted.set(tag.length, shift);
      if (isStruck(name, values, style)) struck.add(tag.length);
      const font =
        values.face ??
        (style?.includes('font-family') === true
          ? /font-family\s*:\s*["']?([^;"',]+)/i.exec(style)?.[1]
          : undefined);
      if (font !== undefined && isSymbolFont(font.trim())) symbols.set(tag.length, font.trim());
      const contact = name === 'a' || hidesContact(values) ? contactOf(values) : null;
      if (contact !== null) contacts.set(tag.length, contact);
      push(name, '', values);
      top = tag.length - 1;
      open.push(top);
      if (name === 'td' || name === 'th') cells.push({ row: top, sign: '' });
    },
    text(data) {
      if (formula !== null) formula.text(data);
      else if (silent === 0)
        push('', data.includes(softHyphen) ? data.replaceAll(softHyphen, '') : data, noAttributes);
      else if (silent === 1) silentText += data;
      else if (isInTitle) drawingTitle += data;
    },
    close(isImplied = false) {
      if (formula !== null) {
        if (!formula.close()) return;
        say(formula.formula());
        formula = null;
      }
      if (silent > 0) {
        silent -= 1;
        isInTitle = false;
        if (silent > 0) return;
        showSign(signOf('svg', { ...silentAttributes, title: drawingTitle }));
        // According to the standard, HTML elements end a drawing.
        isBroken ||= isImplied && silentName === 'svg';
        if (silentName === 'style') classStyles.add(silentText);
        say(silentContact(silentName, silentText));
        readHead(head, silentName, silentAttributes, silentText);
        if (silentName === 'script' && /^math\/tex/i.test(silentAttributes.type ?? ''))
          say(marked(silentText));
        return;
      }
      const row = open.pop() ?? 0;
      if (row === open.at(-1)) return;
      if (cells.at(-1)?.row === row) {
        const { sign = '' } = cells.pop() ?? {};
        if (isWithoutText({ text, hints, parent, row, end: tag.length })) say(sign);
      }
      const contact = contacts.get(row);
      if (contact !== undefined && !writeContact({ tag, text }, row, tag.length, contact)) say(contact.text);
      end[row] = tag.length;
      if (row === tableByRole) tableByRole = 0;
      writeSymbols(text, row, tag.length, symbols.get(row));
      writeReversed(text, row, tag.length, styles.get(row));
      if (struck.has(row)) writeStruck({ tag, text }, row, tag.length);
      const name = tag[row] ?? '';
      listSigns.close(name);
      if (
        isImplied &&
        sideTags.has(name) &&
        tag.slice(row, tag.length).some((below) => contentTags.has(below))
      ) {
        // The content of the page is inside an element that was never closed.
        tag[row] = 'div';
        hints[row] = 0;
        attributes[row] = noAttributes;
      }
      if (name === 'a') links -= 1;
      else if (headingLevels.has(name)) headings -= 1;
      top = open.at(-1) ?? 0;
    },
    finish(isCut) {
      for (const row of open) end[row] = tag.length;
      showSpokenNumbers({ tag, text, attributes, hints, end });
      listSigns.write({ tag, text, parent, end });
      writeShifts({ tag, text, attributes, parent, end }, shifted);
      return {
        tag,
        text,
        attributes,
        hints: new Int32Array(hints),
        parent: new Int32Array(parent),
        end: new Int32Array(end),
        fields,
        head,
        isCut,
      };
    },
    depth: () => open.length - 1 + silent + (formula?.depth() ?? 0),
    isBroken: () => isBroken,
  };
}

/** Maximum rows of an element in a symbol font. */
const MAX_SYMBOL_ROWS = 5;

function writeSymbols(text: string[], row: number, end: number, font: string | undefined): void {
  if (font === undefined || end - row > MAX_SYMBOL_ROWS) return;
  for (let at = row + 1; at < end; at++) text[at] = shownSymbols(text[at] ?? '', font);
}

/** Returns the alternative text of a picture if it is a pictograph or the sign of an address; '' for other pictures. */
const pictographOf = ({ alt = '' }: Attributes): string =>
  alt.length <= 14 &&
  /^(?:@|(?:[\p{Extended_Pictographic}\p{Emoji_Component}](?<![\d#*©®™])[\ufe0f\u200d]*)+)$/u.test(alt)
    ? alt
    : '';

/** Returns the sign of a box that a reader of the page cannot tick. */
const boxOf = ({ type = '', checked, disabled }: Attributes): string => {
  if (type.toLowerCase() !== 'checkbox' || disabled === undefined) return '';
  return checked === undefined ? '☐ ' : '☑ ';
};

/** Returns whether an element is visible although its tag is in the list of invisible ones. */
function isShown(name: string, attributes: Attributes): boolean {
  return (
    (name === 'dialog' && attributes.open !== undefined) ||
    (name === 'template' && (attributes.shadowrootmode ?? attributes.shadowroot) === 'open')
  );
}
