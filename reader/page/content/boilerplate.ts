import { isDataTable } from '../markdown/data-table.js';
import type { Attributes } from '../tree/attributes.js';
import { isHiddenBy } from '../tree/hidden.js';
import { Hint, hintsOf } from '../tree/name-hints.js';
import { afterSubtree, holdsTag, type PageTree } from '../tree/page-tree.js';
import { blockTags, headingLevels } from '../tree/tag-sets.js';
import { textOf } from '../tree/text-of.js';
import { type TextWeights, weigh } from '../tree/text-weights.js';
import { closest, countLandmarks, type Landmarks } from './landmarks.js';
import { type NameRule, ruleAgainst } from './name-rules.js';
import { isArticlePage, isProductPage } from './page-kind.js';
import { slug } from './slug.js';
import { findThread, holdsPost, type Thread } from './thread.js';

/** Which signs of boilerplate are used. If a level leaves no text, the next one is tried. */
export const Strictness = { names: 0, landmarks: 1, nothing: 2 } as const;

/** A landmark with more than this share of the page's prose is content. */
const MAX_LANDMARK_SHARE = 0.6;
/** If there is less text beside them, the comments are the content (forum threads, link posts). */
const MIN_TEXT_BESIDE_COMMENTS = 250;
/** A shorter post with comments opens a thread and is not an article. */
const MAX_OPENING_POST = 400;
const OPENING_POST_SHARE = 0.4;

const MAX_ROWS_TO_HEADING = 8;
const MAX_FORMULA_ROWS = 8;
/** A tab list with a larger share of prose contains its panels. */
const MAX_TAB_NAMES_PROSE = 0.35;
/** Minimum share of a cell's text in its value. A smaller part may be a button or a mark beside the value. */
const MIN_VALUE_SHARE = 0.6;
/** Minimum length of a question. Shorter labels and buttons are controls. */
const MIN_QUESTION_CHARS = 15;

export interface Boilerplate {
  /** 1 for the root of a subtree that is not content. */
  dropped: Uint8Array;
  /** Weights without the dropped subtrees. */
  weights: TextWeights;
  thread: Thread | null;
}

/**
 * Marks the roots of subtrees that are not content: navigation, banners, footers, hidden parts, discussions.
 */
export function markBoilerplate(tree: PageTree, strictness: number): Boilerplate {
  const dropped = new Uint8Array(tree.tag.length);
  const landmarks = countLandmarks(tree);
  for (const row of frameOf(tree, strictness, landmarks, weigh(tree, dropped))) dropped[row] = 1;
  const weights = weigh(tree, dropped);
  const thread = findThread(tree, weights);
  if (strictness !== Strictness.names) return { dropped, weights, thread };
  const { boilerplate, comments } = namedParts(tree, dropped, landmarks, weights, thread);
  for (const row of boilerplate) dropped[row] = 1;
  return { dropped, weights: dropComments(tree, dropped, comments), thread };
}

/** Finds the rows that are hidden, or that frame the content according to their element or role. */
function frameOf(tree: PageTree, strictness: number, landmarks: Landmarks, weights: TextWeights): number[] {
  const rows: number[] = [];
  const prose = Math.max(weights.prose[0] ?? 0, 1);
  for (let row = 1; row < tree.tag.length; row++) {
    const tag = tree.tag[row] ?? '';
    if (tag === '' || tag === 'html' || tag === 'body' || tag === 'main') continue;
    const share = (weights.prose[row] ?? 0) / prose;
    const isUnseen = strictness < Strictness.nothing && isHidden(tree, row) && share <= MAX_LANDMARK_SHARE;
    if (isUnseen || isChrome(tree, row, share, landmarks, weights)) {
      rows.push(row);
      row = afterSubtree(tree, row) - 1;
    } else if (codeTags.has(tag)) row = afterSubtree(tree, row) - 1;
  }
  return rows;
}

/**
 * Drops rows by their names. Shares refer to the page without its frame, so that a long footer does not make the
 * content look small.
 */
function namedParts(
  tree: PageTree,
  dropped: Uint8Array,
  landmarks: Landmarks,
  weights: TextWeights,
  thread: Thread | null,
): { boilerplate: number[]; comments: number[] } {
  const prose = Math.max(weights.prose[0] ?? 0, 1);
  let tableEnd = 0;
  const comments: number[] = [];
  const named = new Map<NameRule, number[]>();
  for (let row = 1; row < tree.tag.length; row++) {
    const tag = tree.tag[row] ?? '';
    if (tag === '' || tag === 'html' || tag === 'body' || tag === 'main') continue;
    const end = afterSubtree(tree, row);
    // Names inside code are for highlighting: "token comment" is not a discussion.
    if (dropped[row] === 1 || codeTags.has(tag)) {
      row = end - 1;
      continue;
    }
    if (tag === 'table' && isDataTable(tree, row)) tableEnd = end;
    if (row < tableEnd && tag !== 'table' && (tableParts.has(tag) || isWholeCell(tree, row, weights)))
      continue;
    const hints = namesOf(tree, row);
    if (hints === 0 || holdsPost(thread, row, end)) continue;
    const share = (weights.prose[row] ?? 0) / prose;
    const rule = ruleAgainst(tree, row, hints, share, landmarks, weights);
    if (rule !== null) {
      const rows = named.get(rule);
      if (rows === undefined) named.set(rule, [row]);
      else rows.push(row);
    } else if (thread === null && (hints & Hint.comments) !== 0 && isDiscussion(tree, row, landmarks))
      comments.push(row);
    else continue;
    row = end - 1;
  }
  const believed = [...named].filter(([rule, rows]) => isTrusted(tree, rule, rows, weights));
  return { boilerplate: believed.flatMap(([, rows]) => rows), comments };
}

/** Returns whether the element has most of a cell's text. Then it is the value, regardless of its name. */
function isWholeCell(tree: PageTree, row: number, weights: TextWeights): boolean {
  const cell = closest(tree, row, cells);
  return cell >= 0 && (weights.chars[row] ?? 0) >= MIN_VALUE_SHARE * (weights.chars[cell] ?? 0);
}

/**
 * Returns the hints in an element's names. Ignores an id that repeats a heading, or is on an inline anchor, because it
 * is only a link target.
 */
function namesOf(tree: PageTree, row: number): number {
  const attributes = tree.attributes[row] ?? {};
  const hints = tree.hints[row] ?? 0;
  const { id } = attributes;
  if (hints === 0 || id === undefined || id === '') return hints;
  const isAddress = blockTags.has(tree.tag[row] ?? '') ? isSlugOfHeading(tree, row, id) : true;
  if (!isAddress) return hints;
  return hintsOf({ class: attributes.class ?? '', role: attributes.role ?? '' });
}

function isSlugOfHeading(tree: PageTree, row: number, id: string): boolean {
  const last = Math.min(afterSubtree(tree, row), row + MAX_ROWS_TO_HEADING);
  for (let below = row + 1; below < last; below++) {
    if (!headingLevels.has(tree.tag[below] ?? '')) continue;
    const heading = textOf(tree, below);
    const isSection =
      tree.tag[row] === 'section' ||
      /(?:^|\s)(?:section|level|sect)-?\d?(?:\s|$)/.test(tree.attributes[row]?.class ?? '');
    return (isSection || heading.includes(' ')) && slug(id) !== '' && slug(heading) === slug(id);
  }
  return false;
}

/** Returns false if the named elements cover most of the page, because they are then its content. */
function isTrusted(tree: PageTree, rule: NameRule, rows: readonly number[], weights: TextWeights): boolean {
  if (sumOf(weights.prose, rows) > rule.maxTotalShare * Math.max(weights.prose[0] ?? 0, 1)) return false;
  if (sumOf(weights.chars, rows) > rule.maxTotalShare * (weights.chars[0] ?? 0)) return false;
  if (rule.minParagraphs === undefined || isArticlePage(tree) || isProductPage(tree)) return true;
  return (weights.paragraphs[0] ?? 0) - sumOf(weights.paragraphs, rows) >= rule.minParagraphs;
}

function sumOf(counts: Float64Array | Int32Array, rows: readonly number[]): number {
  let sum = 0;
  for (const row of rows) sum += counts[row] ?? 0;
  return sum;
}

function isDiscussion(tree: PageTree, row: number, landmarks: Landmarks): boolean {
  const tag = tree.tag[row] ?? '';
  const holdsContent = (landmarks.mains[row] ?? 0) > 0 || (landmarks.ownTitles[row] ?? 0) > 0;
  return tag !== 'article' && !holdsContent && !headingLevels.has(tag);
}

function isHidden(tree: PageTree, row: number): boolean {
  const attributes = tree.attributes[row] ?? {};
  // Keep content that opens on a click, such as answers and tab panels.
  if (((tree.hints[row] ?? 0) & Hint.disclosure) !== 0 || attributes['aria-labelledby'] !== undefined)
    return false;
  // Keep a formula that is hidden behind its picture.
  if (isFormula(tree, row)) return false;
  return isHiddenBy(attributes);
}

function isFormula(tree: PageTree, row: number): boolean {
  return afterSubtree(tree, row) - row <= MAX_FORMULA_ROWS && holdsTag(tree, row, 'math');
}

/** Returns whether an element frames the content according to its tag or role. */
function isChrome(
  tree: PageTree,
  row: number,
  share: number,
  landmarks: Landmarks,
  weights: TextWeights,
): boolean {
  const tag = tree.tag[row] ?? '';
  const attributes = tree.attributes[row] ?? {};
  const role = attributes.role ?? '';
  const hints = tree.hints[row] ?? 0;
  const holdsMain = (landmarks.mains[row] ?? 0) > 0;
  switch (tag) {
    case 'nav':
    case 'search':
      return !holdsMain && share <= MAX_LANDMARK_SHARE;
    case 'footer':
      return !holdsMain && share <= MAX_LANDMARK_SHARE && closest(tree, row, quoting) < 0;
    case 'aside':
      return (
        !holdsMain &&
        (landmarks.titles[row] ?? 0) === 0 &&
        share <= MAX_LANDMARK_SHARE &&
        (hints & Hint.note) === 0 &&
        role !== 'note'
      );
    case 'form':
      return (
        !holdsMain &&
        holdsFields(tree, row) &&
        share <= 0.4 &&
        (weights.paragraphs[row] ?? 0) < 3 &&
        (landmarks.articles[row] ?? 0) === 0
      );
    case 'button':
      return (
        closest(tree, row, questioning) < 0 && !isDisclosureButton(attributes, hints, weights.chars[row] ?? 0)
      );
    case 'label':
      return (weights.chars[row] ?? 0) < MIN_QUESTION_CHARS || closest(tree, row, forms) >= 0;
    default:
      break;
  }
  // Accordions and tab lists may contain their panels.
  if (role === 'tablist')
    return (
      !holdsPanels(tree, row) && (weights.prose[row] ?? 0) < MAX_TAB_NAMES_PROSE * (weights.chars[row] ?? 0)
    );
  if (chromeRoles.has(role)) return !holdsMain && share <= MAX_LANDMARK_SHARE;
  const isHeader = tag === 'header' || role === 'banner' || (hints & Hint.header) !== 0;
  if (!isHeader || headingLevels.has(tag)) return false;
  if (holdsMain || (landmarks.articles[row] ?? 0) > 0 || share > 0.4) return false;
  if ((landmarks.titles[row] ?? 0) > 0) return false;
  return closest(tree, row, content) < 0;
}

/** Rows of a list of tabs to look at. */
const MAX_TAB_ROWS = 500;

/** Returns whether a list of tabs contains what they show. */
function holdsPanels(tree: PageTree, row: number): boolean {
  const end = Math.min(afterSubtree(tree, row), row + MAX_TAB_ROWS);
  for (let below = row + 1; below < end; below++)
    if (tree.attributes[below]?.role === 'tabpanel') return true;
  return false;
}

const chromeRoles: ReadonlySet<string> = new Set([
  'navigation',
  'contentinfo',
  'complementary',
  'search',
  'dialog',
  'alertdialog',
  'menu',
  'menubar',
  'toolbar',
]);
/** These parts of a data table are dropped only together. */
const tableParts: ReadonlySet<string> = new Set(['thead', 'tbody', 'tfoot', 'tr', 'td', 'th', 'caption']);
const cells: ReadonlySet<string> = new Set(['td', 'th']);
const codeTags: ReadonlySet<string> = new Set(['pre', 'code', 'kbd', 'samp', 'listing', 'xmp']);
const forms: ReadonlySet<string> = new Set(['form', 'fieldset']);
const quoting: ReadonlySet<string> = new Set(['blockquote', 'figure', 'q']);
const questioning: ReadonlySet<string> = new Set(['summary', 'dt', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6']);
const content: ReadonlySet<string> = new Set(['article', 'main']);

function holdsFields(tree: PageTree, row: number): boolean {
  for (let below = row; below < afterSubtree(tree, row); below++) if (tree.fields.has(below)) return true;
  return false;
}

/** Returns whether the element is the button of a collapsed part. The button contains the part's title. */
function isDisclosureButton(attributes: Attributes, hints: number, chars: number): boolean {
  if (chars < MIN_QUESTION_CHARS) return false;
  return attributes['aria-expanded'] !== undefined || (hints & Hint.disclosure) !== 0;
}

/** Drops discussions, unless they are the content, and returns the remaining weights. */
function dropComments(tree: PageTree, dropped: Uint8Array, comments: readonly number[]): TextWeights {
  const weights = weigh(tree, dropped);
  if (comments.length === 0) return weights;
  const all = weights.prose[0] ?? 0;
  for (const row of comments) dropped[row] = 1;
  const others = weigh(tree, dropped);
  const rest = others.prose[0] ?? 0;
  const isThread =
    rest < MAX_OPENING_POST && rest < OPENING_POST_SHARE * (all - rest) && !isArticlePage(tree);
  if (rest >= MIN_TEXT_BESIDE_COMMENTS && !isThread) return others;
  for (const row of comments) dropped[row] = 0;
  return weights;
}
