import { boilerplateLines, controlLabels, creditLines, endHeadings, productEnds } from '../fixed-phrases.js';
import { isDataTable } from '../markdown/data-table.js';
import { foldBlanks } from '../tree/fold-blanks.js';
import { afterSubtree, childrenOf, holdsTag, type PageTree } from '../tree/page-tree.js';
import { blockTags, containerTags, headingLevels } from '../tree/tag-sets.js';
import { textOf } from '../tree/text-of.js';
import { charsBelow, holdsBlocks, linkShare, type TextWeights } from '../tree/text-weights.js';
import { createIsDeclaredLabel } from './declared-labels.js';
import { closest } from './landmarks.js';
import { isArticlePage, isProductPage } from './page-kind.js';
import { holdsPost, type Thread } from './thread.js';

const LINK_LIST_SHARE = 0.65;
const MIN_LIST_LINKS = 3;
const MAX_BARE_LINK_CHARS = 60;
/** If the link rules would drop a larger share, the content is a list of links. */
const MAX_LOSS = 0.5;
const MAX_HEADING_CHARS = 80;
const MIN_TEXT_PARAGRAPHS = 3;
const MIN_PROSE_SHARE = 0.4;
const MENU_LINK_SHARE = 0.9;
const MAX_MENU_LINK_CHARS = 25;
/** On a page without running text, a part with a larger share is content, regardless of its heading. */
const MAX_END_PART_SHARE = 0.15;
const MAX_LINE_CHARS = 250;
/** A longer line that begins like a credit describes the picture. */
const MAX_CREDIT_CHARS = 80;
/** In running text, a paragraph with a larger share of links is a teaser. */
const TEASER_LINK_SHARE = 0.97;
const MAX_TEASER_LINKS = 2;
const MAX_TEASER_CHARS = 250;
const MAX_PROSE_LINK_SHARE = 0.3;

/**
 * Drops clutter inside the content: link lists, lines with only a link, "related" parts and empty headings. `before`
 * holds the current weights.
 */
export function markClutter(
  tree: PageTree,
  root: number,
  dropped: Uint8Array,
  before: TextWeights,
  thread: Thread | null,
): void {
  const isText = isRunningText(tree, root, before);
  dropEndParts(tree, root, dropped, before, isText, thread);
  dropBoilerplateLines(tree, root, dropped, before);
  dropRepliedTitles(tree, root, dropped);
  for (const lists of isText ? [ListKind.all, ListKind.menus] : [ListKind.menus]) {
    const attempt = dropped.slice();
    dropLinkLists(tree, root, attempt, before, lists);
    if (charsBelow(tree, root, attempt) < (before.chars[root] ?? 0) * (1 - MAX_LOSS)) continue;
    dropped.set(attempt);
    break;
  }
  dropEmptyHeadings(tree, root, dropped);
}

/** Returns whether most of the content is prose. If not, lists of links are content. */
function isRunningText(tree: PageTree, root: number, weights: TextWeights): boolean {
  if ((weights.paragraphs[root] ?? 0) < MIN_TEXT_PARAGRAPHS) return false;
  return isArticlePage(tree) || (weights.prose[root] ?? 0) >= MIN_PROSE_SHARE * (weights.chars[root] ?? 0);
}

/** Which link lists to drop: all, or only menus of short names and no cards. */
const ListKind = { all: 0, menus: 1 } as const;

function dropLinkLists(
  tree: PageTree,
  root: number,
  dropped: Uint8Array,
  weights: TextWeights,
  lists: number,
): void {
  for (let row = root + 1; row < afterSubtree(tree, root); row++) {
    if (dropped[row] === 1) {
      row = afterSubtree(tree, row) - 1;
      continue;
    }
    const tag = tree.tag[row] ?? '';
    if (!blockTags.has(tag) || headingLevels.has(tag)) continue;
    const links = weights.links[row] ?? 0;
    if (links === 0) continue;
    const share = linkShare(weights, row);
    const chars = weights.chars[row] ?? 0;
    const isList =
      containerTags.has(tag) &&
      links >= MIN_LIST_LINKS &&
      share >= LINK_LIST_SHARE &&
      (lists === ListKind.all || isMenu(tree, row, weights));
    const isBareLink =
      lists === ListKind.all &&
      share > 0.9 &&
      chars <= MAX_BARE_LINK_CHARS &&
      tag !== 'li' &&
      tag !== 'td' &&
      tag !== 'th' &&
      tag !== 'dd' &&
      tag !== 'dt';
    const isData = tag === 'table' && isDataTable(tree, row);
    // A table with headers describes its links, so it is kept.
    const isKept = isList && (isData ? holdsTag(tree, row, 'th') : isListInProse(tree, row, weights));
    const isTeaser =
      lists === ListKind.all &&
      tag === 'p' &&
      share >= TEASER_LINK_SHARE &&
      links <= MAX_TEASER_LINKS &&
      chars <= MAX_TEASER_CHARS &&
      closest(tree, row, keepingLinks) < 0;
    if (!isKept && (isList || isBareLink || isTeaser)) dropped[row] = 1;
    if (dropped[row] === 1 || isKept || isData) row = afterSubtree(tree, row) - 1;
  }
}

/** Returns whether a paragraph introduces the list and another follows it. */
function isListInProse(tree: PageTree, row: number, weights: TextWeights): boolean {
  if (tree.tag[row] !== 'ul' && tree.tag[row] !== 'ol') return false;
  const parent = tree.parent[row] ?? 0;
  let before = -1;
  for (const child of childrenOf(tree, parent)) {
    if (child === row || (weights.chars[child] ?? 0) === 0) continue;
    const isProse = (weights.paragraphs[child] ?? 0) > 0 && linkShare(weights, child) < MAX_PROSE_LINK_SHARE;
    if (child < row) before = isProse || announces(tree, child) ? child : -1;
    else return before >= 0 && isProse;
  }
  return false;
}

/** Returns whether the row is an introduction such as "These are the houses:". */
const announces = (tree: PageTree, row: number): boolean =>
  tree.tag[row] === 'p' && /[:：]$/.test(textOf(tree, row)) && !endHeadings.test(bare(textOf(tree, row)));

const keepingLinks: ReadonlySet<string> = new Set(['blockquote', 'figure', 'li', 'td', 'th', 'dd', 'dt']);

/** Returns whether the row consists of short links without other text. */
function isMenu(tree: PageTree, row: number, weights: TextWeights): boolean {
  if (linkShare(weights, row) < MENU_LINK_SHARE) return false;
  const links = weights.links[row] ?? 1;
  if ((weights.linkChars[row] ?? 0) / links > MAX_MENU_LINK_CHARS) return false;
  return !holdsTag(tree, row, ...headingLevels.keys());
}

/** Drops headings such as "Related articles" with the text below them, up to the next heading of the same rank. */
function dropEndParts(
  tree: PageTree,
  root: number,
  dropped: Uint8Array,
  weights: TextWeights,
  isText: boolean,
  thread: Thread | null,
): void {
  const isProduct = isProductPage(tree);
  const maxChars = isText || isProduct ? Infinity : MAX_END_PART_SHARE * (weights.chars[root] ?? 0);
  const total = Math.max(weights.prose[root] ?? 0, 1);
  for (let row = root + 1; row < afterSubtree(tree, root); row++) {
    if (dropped[row] === 1) {
      row = afterSubtree(tree, row) - 1;
      continue;
    }
    const isSummary = isProduct && tree.tag[row] === 'summary';
    if (!isSummary && !mayBeHeading(tree, row, weights)) continue;
    const title = bare(textOf(tree, row));
    const level = headingLevels.get(tree.tag[row] ?? '') ?? 7;
    const isService = isProduct && (isSummary || level < 7) && productEnds.test(title);
    if (!isService && !endHeadings.test(title)) continue;
    const isCertain = title.includes(' ') && level < 7;
    let part = row;
    for (
      let above = tree.parent[row] ?? root;
      above > root && weights.chars[above] === weights.chars[row];
    ) {
      part = above;
      above = tree.parent[above] ?? root;
    }
    const partEnd = afterSubtree(tree, tree.parent[part] ?? root);
    let stop = afterSubtree(tree, part);
    let textFollows = false;
    while (stop < partEnd) {
      const nextLevel = headingLevels.get(tree.tag[stop] ?? '');
      if (nextLevel !== undefined && nextLevel <= level) break;
      const isText = (weights.paragraphs[stop] ?? 0) > 0 && linkShare(weights, stop) < 0.2;
      if (isText && !isService && (!isCertain || (weights.prose[stop] ?? 0) > 0.3 * total)) {
        textFollows = true;
        break;
      }
      stop = afterSubtree(tree, stop);
    }
    // A heading directly above running text belongs to the content.
    if (holdsPost(thread, part, stop)) continue;
    if (textFollows && stop === afterSubtree(tree, part) && level < 7) continue;
    let lost = 0;
    for (let next = part; next < stop; next = afterSubtree(tree, next)) lost += weights.chars[next] ?? 0;
    if (lost > maxChars) continue;
    for (let next = part; next < stop; next = afterSubtree(tree, next)) dropped[next] = 1;
    row = stop - 1;
  }
}

/**
 * Drops short blocks that start with a fixed phrase, such as "Posted in …" or "Your email address will not be
 * published".
 */
function dropBoilerplateLines(tree: PageTree, root: number, dropped: Uint8Array, weights: TextWeights): void {
  const isLabel = createIsDeclaredLabel(tree);
  for (let row = root + 1; row < afterSubtree(tree, root); row++) {
    const chars = weights.chars[row] ?? 0;
    if (dropped[row] === 1 || chars === 0) {
      row = afterSubtree(tree, row) - 1;
      continue;
    }
    if (chars > MAX_LINE_CHARS || chars > 0.3 * (weights.chars[root] ?? 0) || !isLine(tree, row)) continue;
    const text = bare(textOf(tree, row));
    const isControl = tree.tag[row] !== 'li' && tree.tag[row] !== 'dt' && controlLabels.test(text);
    const isCredit = chars <= MAX_CREDIT_CHARS && creditLines.test(text);
    const isClutter = isControl || isCredit || boilerplateLines.test(text) || isPointer(tree, row, weights);
    if (isClutter || (!itemTags.has(tree.tag[row] ?? '') && isLabel(text))) dropped[row] = 1;
    row = afterSubtree(tree, row) - 1;
  }
}

const itemTags: ReadonlySet<string> = new Set(['li', 'dt', 'dd']);

/** Returns whether the row consists of links with only an introduction, such as "Read also: …". */
function isPointer(tree: PageTree, row: number, weights: TextWeights): boolean {
  if ((weights.links[row] ?? 0) === 0) return false;
  let words = '';
  for (let below = row; below < afterSubtree(tree, row); below++) {
    if (tree.tag[below] === 'a') {
      words += ' ';
      below = afterSubtree(tree, below) - 1;
    } else words += tree.text[below] ?? '';
  }
  const announced = bare(foldBlanks(words).trim());
  return announced !== '' && announced.length <= MAX_HEADING_CHARS && endHeadings.test(announced);
}

/** Removes brackets, bullets and arrows around the text. */
function bare(text: string): string {
  const opened = /^\w/.test(text) ? text : text.replace(/^[\p{Ps}\p{Pi}\p{Pf}\p{Pd}\p{So}\p{Sm}•*#\s]+/u, '');
  return /[\w.,:;!?]$/.test(opened) ? opened : opened.replace(/[\p{Pe}\p{Pi}\p{Pf}\p{So}\s]+$/u, '');
}

/** Returns whether the row is a text block without blocks inside. */
function isLine(tree: PageTree, row: number): boolean {
  const tag = tree.tag[row] ?? '';
  // A link between blocks is a line of its own.
  if (tag === 'a') return holdsBlocks(tree, tree.parent[row] ?? 0) && !holdsBlocks(tree, row);
  if (!blockTags.has(tag) || headingLevels.has(tag) || tag === 'td' || tag === 'th' || tag === 'pre')
    return false;
  return !holdsBlocks(tree, row);
}

function mayBeHeading(tree: PageTree, row: number, weights: TextWeights): boolean {
  const tag = tree.tag[row] ?? '';
  const chars = weights.chars[row] ?? 0;
  if (chars === 0 || chars > MAX_HEADING_CHARS) return false;
  if (headingLevels.has(tag)) return true;
  // A line of links introduces only its targets.
  if (linkShare(weights, row) > LINK_LIST_SHARE) return false;
  if (tag === 'p') return true;
  if (tag !== 'div' && tag !== 'section') return false;
  return !holdsBlocks(tree, row);
}

/** Drops the line "Re: …" above the posts of a thread, because it repeats the page's title. */
function dropRepliedTitles(tree: PageTree, root: number, dropped: Uint8Array): void {
  const title = foldBlanks(tree.head.title).toLowerCase();
  for (let row = root + 1; row < afterSubtree(tree, root); row++) {
    if (!headingLevels.has(tree.tag[row] ?? '') || dropped[row] === 1) continue;
    const subject = /^(?:re|aw|sv|vs|antw|ynt|odp|отв|ответ|rif|res)(?:\[\d+\])?\s?[:：]\s*(.+)$/iu.exec(
      textOf(tree, row),
    )?.[1];
    if (subject !== undefined && title.includes(subject.toLowerCase())) dropped[row] = 1;
  }
}

/**
 * Marks the end of the content. Other values for what follows a heading: text, or the rank (1 to 6) of the next
 * heading.
 */
const END = 8;
const TEXT = 0;

/** Drops headings whose whole section has been dropped. */
function dropEmptyHeadings(tree: PageTree, root: number, dropped: Uint8Array): void {
  let following = END;
  let lost = false;
  const rows: number[] = [];
  for (let row = root; row < afterSubtree(tree, root); row++) {
    if (dropped[row] === 1) {
      rows.push(row);
      row = afterSubtree(tree, row) - 1;
    } else if (headingLevels.has(tree.tag[row] ?? '')) {
      rows.push(row);
      row = afterSubtree(tree, row) - 1;
    } else if (tree.tag[row] === '' && (tree.text[row] ?? '').trim() !== '') rows.push(row);
  }
  for (const row of rows.reverse()) {
    const level = headingLevels.get(tree.tag[row] ?? '');
    if (dropped[row] === 1) lost = true;
    else if (level === undefined) {
      following = 0;
      lost = false;
    } else {
      if (level > 1 && lost && (following === END || (following !== TEXT && following <= level)))
        dropped[row] = 1;
      else {
        following = level;
        lost = false;
      }
    }
  }
}
