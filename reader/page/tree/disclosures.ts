import type { Attributes } from './attributes.js';
import { foldBlanks } from './fold-blanks.js';
import { isHiddenBy } from './hidden.js';
import { Hint } from './name-hints.js';
import { afterSubtree, ancestorsOf, type PageTree } from './page-tree.js';
import { headingLevels } from './tag-sets.js';
import { textOf } from './text-of.js';

/** Minimum text outside links. A shorter hidden part is a message or a menu. */
const MIN_ANSWER_CHARS = 20;
const MAX_LINK_SHARE = 0.5;
/** Rows of a part to look at. */
const MAX_ROWS = 2_000;
/** How far up the element beside the answer may be, from the button in it. */
const MAX_STEPS_UP = 3;
/** Rows to look at before a hidden element. */
const MAX_ROWS_BEFORE = 30;
const question = /[?？؟;՞]\s*$/u;
const neverAnswers: ReadonlySet<string> = new Set(['nav', 'form', 'footer', 'header', 'button', 'label']);
const otherRoles: ReadonlySet<string> = new Set(['dialog', 'alertdialog', 'menu', 'listbox', 'tooltip']);

type Tree = Pick<PageTree, 'tag' | 'text' | 'attributes' | 'hints' | 'parent' | 'end' | 'fields'>;

/**
 * Marks parts that open on a click, and the buttons that open them, with Hint.disclosure: the answer to a question is
 * content although it is hidden. The patterns are those of https://www.w3.org/WAI/ARIA/apg/patterns/disclosure/, a button
 * or a question directly before a hidden element, and hidden definitions of terms.
 */
export function markDisclosures(tree: PageTree): void {
  const rowOfId = new Map<string, number>();
  for (const [row, { id }] of tree.attributes.entries()) if (id && !rowOfId.has(id)) rowOfId.set(id, row);
  const answers = new Map<number, boolean>();
  const mark = (opener: number, panel: number | undefined, isQuestion = asks(tree, opener)) => {
    if (panel === undefined) return;
    const key = 2 * panel + Number(isQuestion);
    const isOne = answers.get(key) ?? isAnswer(tree, panel, isQuestion);
    answers.set(key, isOne);
    if (!isOne) return;
    for (const row of [opener, panel]) tree.hints[row] = (tree.hints[row] ?? 0) | Hint.disclosure;
  };
  for (let row = 1; row < tree.tag.length; row++) {
    const tag = tree.tag[row] ?? '';
    if (tag === '') continue;
    const attributes = tree.attributes[row] ?? {};
    for (const id of controlled(tag, attributes)) mark(row, rowOfId.get(id));
    if (tag === 'dd') mark(row, row, true);
    else if (isButton(tag, attributes)) mark(row, hiddenAfter(tree, row, MAX_STEPS_UP));
    if (!isCollapsed(attributes)) continue;
    const before = questionBefore(tree, row);
    if (before > 0) mark(before, row, true);
    else if (continuesText(attributes)) mark(row, row, false);
  }
}

/** Returns whether an element asks a question, or is a heading or term that opens its part. */
function asks(tree: PageTree, row: number): boolean {
  const parent = tree.tag[tree.parent[row] ?? 0] ?? '';
  return headingLevels.has(parent) || parent === 'dt' || question.test(textOf(tree, row));
}

/** Returns the element whose text is a question directly before a hidden element or the element around it; 0 if none. */
function questionBefore(tree: Tree, row: number): number {
  const parent = tree.parent[row] ?? 0;
  const around = tree.parent[parent] ?? 0;
  const first = Math.max(around, row - MAX_ROWS_BEFORE);
  for (let at = row - 1; at > first; at--) {
    const text = tree.text[at] ?? '';
    if (text.trim() === '') continue;
    return question.test(text) ? (tree.parent[at] ?? 0) : 0;
  }
  return 0;
}

/** Returns whether a hidden element is the rest of a text, by its name. */
const continuesText = ({ id = '', class: names = '' }: Attributes): boolean =>
  /(?:^|[\s_-])(?:(?:read|show|see)[_-]?more|more|more[_-]?(?:text|content|info)|full[_-]?text|rest)(?:$|[\s_-])/i.test(
    `${id.slice(0, 100)} ${names.slice(0, 200)}`,
  );

/** Maximum characters of class names to look at. */
const MAX_NAMES = 200;
/** Names and directives of parts that scripts show on a click. */
const collapsed = /(?:^|\s)(?:hidden|hide|is-hidden|d-none|closed|collapse)(?:\s|$)/;

/** Returns whether an element is hidden by its own attributes, or by a class or directive for scripts and style sheets. */
const isCollapsed = (attributes: Attributes): boolean =>
  isHiddenBy(attributes) ||
  (attributes.class !== undefined &&
    attributes.class.length <= MAX_NAMES &&
    collapsed.test(attributes.class)) ||
  attributes['x-show'] !== undefined ||
  attributes['v-show'] !== undefined;

const isButton = (tag: string, { role, 'aria-haspopup': popup }: Attributes): boolean =>
  (tag === 'button' || role === 'button') && (popup === undefined || popup === 'false');

/** Returns the ids of the elements that a button opens. */
function controlled(tag: string, attributes: Attributes): string[] {
  if (attributes['aria-haspopup'] !== undefined && attributes['aria-haspopup'] !== 'false') return [];
  const controls = attributes['aria-controls'];
  if (controls !== undefined) return controls.trim().split(/\s+/, 5);
  const target = attributes['data-bs-target'] ?? attributes['data-target'];
  const href = tag === 'a' && attributes['aria-expanded'] !== undefined ? attributes.href : undefined;
  const id = /^#([^\s#]{1,200})$/.exec(target ?? href ?? '')?.[1];
  return id === undefined ? [] : [id];
}

/** Returns the hidden element after a row, or after an ancestor that contains nothing else. */
function hiddenAfter(tree: Tree, row: number, steps: number): number | undefined {
  let at = row;
  for (let step = 0; ; step++) {
    const parent = tree.parent[at] ?? 0;
    let next = tree.end[at] ?? 0;
    while (next < (tree.end[parent] ?? 0) && tree.tag[next] === '' && isBlank(tree, next)) next++;
    if (next < (tree.end[parent] ?? 0)) return isCollapsed(tree.attributes[next] ?? {}) ? next : undefined;
    if (step >= steps) return undefined;
    at = parent;
  }
}

const isBlank = (tree: Tree, row: number): boolean => (tree.text[row] ?? '').trim() === '';

/** Returns whether a part contains running text rather than links and controls. The answer to a question may be short. */
function isAnswer(tree: PageTree, panel: number, isQuestion: boolean): boolean {
  if (neverAnswers.has(tree.tag[panel] ?? '') || otherRoles.has(tree.attributes[panel]?.role ?? ''))
    return false;
  let chars = 0;
  let linked = 0;
  let linkEnd = 0;
  const end = Math.min(afterSubtree(tree, panel), panel + MAX_ROWS);
  for (let row = panel; row < end; row++) {
    if (tree.fields.has(row)) return false;
    if (tree.tag[row] === 'a') linkEnd = Math.max(linkEnd, afterSubtree(tree, row));
    const own = foldBlanks((tree.text[row] ?? '').trim()).length;
    chars += own;
    if (row < linkEnd) linked += own;
  }
  if (chars - linked < (isQuestion ? 1 : MIN_ANSWER_CHARS)) return false;
  if (!isQuestion && linked > MAX_LINK_SHARE * chars) return false;
  for (const above of ancestorsOf(tree, panel)) if (tree.tag[above] === 'nav') return false;
  return true;
}
