import type { Attributes } from './attributes.js';
import { createFormulaReader, type FormulaReader, formulaOfImage, marked } from './formula.js';
import { hintsOf } from './name-hints.js';
import { type PageHead, readHead } from './page-head.js';
import { headingLevels, silentTags } from './tag-sets.js';

/**
 * A page as a table in document order: the subtree of row i is the rows i..end[i]-1. Everything after parsing
 * walks this table with loops, so no depth of nesting can exhaust the stack. Row 0 stands for the document.
 */
export interface PageTree {
  /** Lower-case element name, '' for text, '#document' for row 0. */
  tag: string[];
  /** Text of text rows, '' otherwise. */
  text: string[];
  attributes: Attributes[];
  /** What class, id and role of each row say: a set of Hint. */
  hints: Int32Array;
  parent: Int32Array;
  end: Int32Array;
  /** Rows right above something that a visitor fills in or presses. */
  fields: ReadonlySet<number>;
  /** What the head says. */
  head: PageHead;
  /** Reading ended before the page did. */
  isCut: boolean;
}

/** The row after a row and all that is below it: where a walk goes on that leaves a subtree out. */
export const afterSubtree = (tree: PageTree, row: number): number => tree.end[row] ?? row + 1;

/** The rows right below a row, texts included. */
export function* childrenOf(tree: PageTree, parent: number): Generator<number> {
  const end = afterSubtree(tree, parent);
  for (let child = parent + 1; child < end; child = afterSubtree(tree, child)) yield child;
}

/** Takes the elements and texts of a page in document order; every element that opens must close. */
export interface TreeBuilder {
  /** Lower-case name. */
  open(name: string, attributes: Attributes): void;
  text(data: string): void;
  /** Closes the innermost open element; `isImplied` when its author did not. */
  close(isImplied?: boolean): void;
  /** The tree of what came, without what readers never see. `isCut` when not all came. */
  finish(isCut: boolean): PageTree;
  /** Open elements, also those that are left out. */
  depth(): number;
  /** A link inside a link, or a heading inside a heading: somebody forgot to close one. */
  isBroken(): boolean;
}

const documentTag = '#document';
const fieldTags: ReadonlySet<string> = new Set(['input', 'textarea', 'select', 'button']);
const sideTags: ReadonlySet<string> = new Set(['aside', 'nav']);
const contentTags: ReadonlySet<string> = new Set(['h1', 'main', 'article']);
/** Where a word may be broken: no part of it. */
const softHyphen = '\u00ad';
const noAttributes: Attributes = Object.freeze({});

/** A builder of one tree; elements that are still open at its end hold all that came after them. */
export function createTreeBuilder(): TreeBuilder {
  const tag = [documentTag];
  const text = [''];
  const attributes = [noAttributes];
  const hints = [0];
  const parent = [-1];
  const end = [0];
  const fields = new Set<number>();
  const head: PageHead = {
    title: '',
    meta: new Map(),
    htmlLanguage: '',
    jsonLd: [],
    state: [],
    hasPasswordField: false,
  };
  const open = [0];
  let top = 0;
  let links = 0;
  let headings = 0;
  let isBroken = false;
  /** Open elements from the outermost silent one on. */
  let silent = 0;
  let silentName = '';
  let silentAttributes = noAttributes;
  let silentText = '';
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

  return {
    open(name, values) {
      if (formula !== null) {
        formula.open(name, values);
        return;
      }
      if (silent > 0) {
        silent += 1;
        return;
      }
      if (name === 'html' && head.htmlLanguage === '')
        head.htmlLanguage = values.lang ?? values['xml:lang'] ?? '';
      if (fieldTags.has(name) && values.type?.toLowerCase() !== 'hidden') fields.add(top);
      if (name === 'math') formula = createFormulaReader(values);
      else if (name === 'img') say(formulaOfImage(values));
      if (silentTags.has(name) && !isShown(name, values)) {
        silent = 1;
        silentName = name;
        silentAttributes = values;
        silentText = '';
        return;
      }
      if (name === 'a') {
        isBroken ||= links > 0;
        links += 1;
      } else if (headingLevels.has(name)) {
        isBroken ||= headings > 0;
        headings += 1;
      }
      push(name, '', values);
      top = tag.length - 1;
      open.push(top);
    },
    text(data) {
      if (formula !== null) formula.text(data);
      else if (silent === 0)
        push('', data.includes(softHyphen) ? data.replaceAll(softHyphen, '') : data, noAttributes);
      else if (silent === 1) silentText += data;
    },
    close(isImplied = false) {
      if (formula !== null) {
        if (!formula.close()) return;
        say(formula.formula());
        formula = null;
      }
      if (silent > 0) {
        silent -= 1;
        if (silent > 0) return;
        readHead(head, silentName, silentAttributes, silentText);
        if (silentName === 'script' && /^math\/tex/i.test(silentAttributes.type ?? ''))
          say(marked(silentText));
        return;
      }
      const row = open.pop() ?? 0;
      end[row] = tag.length;
      const name = tag[row] ?? '';
      if (
        isImplied &&
        sideTags.has(name) &&
        tag.slice(row, tag.length).some((below) => contentTags.has(below))
      ) {
        // left open, it has swallowed the content of the page
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

/** What browsers show though elements of the kind are mostly unseen. */
function isShown(name: string, attributes: Attributes): boolean {
  return (
    (name === 'dialog' && attributes.open !== undefined) ||
    (name === 'template' && (attributes.shadowrootmode ?? attributes.shadowroot) === 'open')
  );
}
