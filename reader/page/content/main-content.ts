import { foldBlanks } from '../tree/fold-blanks.js';
import { Hint } from '../tree/name-hints.js';
import { afterSubtree, ancestorsOf, childrenOf, type PageTree } from '../tree/page-tree.js';
import { containerTags } from '../tree/tag-sets.js';
import { textOf } from '../tree/text-of.js';
import { linkShare, type TextWeights } from '../tree/text-weights.js';
import { includeNeighbours, includeSiblings } from './content-beside.js';
import { isDeclaredBody, isMain } from './landmarks.js';
import { isArticlePage } from './page-kind.js';

/** Minimum share of the surrounding prose in a part that is declared as content. */
const MIN_DECLARED_SHARE = 0.25;
const MIN_NAMED_SHARE = 0.5;
/** Minimum share of the prose in a group of similar parts (posts of a thread, entries of a list). */
const MIN_COMPANION_SHARE = 0.08;
/** If an inner candidate has this share of the outer one's text, the inner one is chosen. */
const INNER_SHARE = 0.95;
/** Factor on the minimum share of a part that contains the page's heading. */
const TITLED_FACTOR = 0.4;
const MIN_TITLE_CHARS = 8;
/** A child with this share of its parent's prose represents the parent. */
const DOMINANT_SHARE = 0.85;
const LEADING_SHARE = 0.5;
const MIN_PARAGRAPHS = 3;
/** A main part with a smaller share of the prose is used only if there is hardly any other running text. */
const TINY_SHARE = 0.08;
/** A sibling with a smaller share of the prose is not content. */
const MINOR_SHARE = 0.05;
const TEASER_LINK_SHARE = 0.3;
const MAX_INTRODUCTION = 1_500;
const MINOR_TEXT_SHARE = 0.4;
const SHORT_INTRODUCTION = 600;
const SHORT_TEXT_SHARE = 0.6;

/** Returns the row of the smallest element that contains the page's content. */
export function findMainContent(tree: PageTree, weights: TextWeights): number {
  const body = bodyOf(tree);
  const headings = headingsOf(tree, weights);
  const main =
    onlyMain(tree, weights, headings, body) ??
    narrow(tree, weights, headings, body, isMain, MIN_DECLARED_SHARE);
  const scope = narrow(tree, weights, headings, main, isArticle, MIN_NAMED_SHARE);
  const declared = narrow(tree, weights, headings, scope, isDeclaredBody, MIN_DECLARED_SHARE);
  if (declared !== scope) return includeSiblings(tree, weights, declared, scope);
  const named = narrow(tree, weights, headings, scope, isNamedBody, MIN_NAMED_SHARE);
  const found = named !== scope ? named : descend(tree, weights, scope);
  if (isArticlePage(tree)) return named !== scope ? includeSiblings(tree, weights, named, scope) : found;
  const grown = includeNeighbours(tree, weights, found, scope);
  return isMinor(weights, grown, scope) ? scope : grown;
}

/** Returns whether the text found is only a short introduction on a page of products or results. */
function isMinor(weights: TextWeights, found: number, scope: number): boolean {
  const prose = weights.prose[found] ?? 0;
  const share = (weights.chars[found] ?? 0) / Math.max(weights.chars[scope] ?? 0, 1);
  return (
    prose < MAX_INTRODUCTION && share < (prose < SHORT_INTRODUCTION ? SHORT_TEXT_SHARE : MINOR_TEXT_SHARE)
  );
}

/** Returns the only main element if it contains the page's heading and text. */
function onlyMain(
  tree: PageTree,
  weights: TextWeights,
  headings: readonly Heading[],
  scope: number,
): number | null {
  let only = -1;
  for (let row = scope; row < afterSubtree(tree, scope); row++) {
    if (!isMain(tree, row) || (weights.prose[row] ?? 0) === 0) continue;
    if (only >= 0) return null;
    only = row;
  }
  const beside = (weights.paragraphs[scope] ?? 0) - (weights.paragraphs[only] ?? 0);
  if ((weights.prose[only] ?? 0) < TINY_SHARE * (weights.prose[scope] ?? 0) && beside >= MIN_PARAGRAPHS)
    return null;
  return only >= 0 && titleRows(tree, headings, scope).some((row) => contains(tree, only, row)) ? only : null;
}

/** Returns whether the row is the part declared as content, or inside it. */
export function isDeclaredContent(tree: PageTree, root: number): boolean {
  return [root, ...ancestorsOf(tree, root)].some((row) => isMain(tree, row) || isArticle(tree, row));
}

function bodyOf(tree: PageTree): number {
  const body = tree.tag.indexOf('body');
  return Math.max(body, 0);
}

type Test = (tree: PageTree, row: number) => boolean;

const isArticle: Test = (tree, row) =>
  tree.tag[row] === 'article' || tree.attributes[row]?.role === 'article';
const isNamedBody: Test = (tree, row) =>
  containerTags.has(tree.tag[row] ?? '') && ((tree.hints[row] ?? 0) & Hint.articleBody) !== 0;

const signature = (tree: PageTree, row: number): string =>
  `${tree.tag[row]}.${(tree.attributes[row]?.class ?? '').split(/\s+/)[0]}`;

/**
 * Returns the part below `scope` that passes the test and has enough of the prose. Several parts of one kind stay
 * together.
 */
function narrow(
  tree: PageTree,
  weights: TextWeights,
  headings: readonly Heading[],
  scope: number,
  test: Test,
  minShare: number,
): number {
  const total = weights.prose[scope] ?? 0;
  if (total === 0) return scope;
  const titles = titleRows(tree, headings, scope);
  let best = -1;
  let bestProse = 0;
  const found: number[] = [];
  for (let row = scope + 1; row < afterSubtree(tree, scope); row++) {
    const prose = weights.prose[row] ?? 0;
    if (prose === 0 || tree.tag[row] === '' || !test(tree, row)) continue;
    found.push(row);
    if (
      prose > bestProse ||
      (best >= 0 && row < afterSubtree(tree, best) && prose >= INNER_SHARE * bestProse)
    ) {
      best = row;
      bestProse = prose;
    }
  }
  if (best < 0) return scope;
  const hasTitle = titles.some((row) => contains(tree, best, row));
  const bestShare = (weights.prose[best] ?? 0) / total;
  if (hasTitle && bestShare >= MIN_NAMED_SHARE) return best;
  const kind = signature(tree, best);
  const companions = found.filter(
    (row) => !contains(tree, best, row) && !contains(tree, row, best) && signature(tree, row) === kind,
  );
  const companionProse = companions.reduce((sum, row) => sum + (weights.prose[row] ?? 0), 0);
  const together = (weights.prose[best] ?? 0) + companionProse;
  if (companionProse >= MIN_COMPANION_SHARE * together && together >= minShare * total) {
    return commonAncestor(tree, best, companions, scope);
  }
  return bestShare >= (hasTitle ? TITLED_FACTOR * minShare : minShare) ? best : scope;
}

interface Heading {
  row: number;
  isFirstRank: boolean;
  isTitle: boolean;
}

/** Returns the non-empty h1 and h2 headings. */
function headingsOf(tree: PageTree, weights: TextWeights): Heading[] {
  const title = foldBlanks(tree.head.title).toLowerCase();
  const headings: Heading[] = [];
  for (let row = 0; row < tree.tag.length; row++) {
    const tag = tree.tag[row];
    if ((tag !== 'h1' && tag !== 'h2') || (weights.chars[row] ?? 0) === 0) continue;
    const text = textOf(tree, row).toLowerCase();
    const isTitle = text.length >= MIN_TITLE_CHARS && title.includes(text);
    headings.push({ row, isFirstRank: tag === 'h1', isTitle });
  }
  return headings;
}

/** Returns the headings below `scope` that repeat the page's title, or else all h1 headings. */
function titleRows(tree: PageTree, headings: readonly Heading[], scope: number): number[] {
  const own = headings.filter(({ row }) => contains(tree, scope, row));
  const repeated = own.filter(({ isTitle }) => isTitle);
  const titles = repeated.length > 0 ? repeated : own.filter(({ isFirstRank }) => isFirstRank);
  return titles.map(({ row }) => row);
}

const contains = (tree: PageTree, outer: number, inner: number): boolean =>
  inner >= outer && inner < afterSubtree(tree, outer);

function commonAncestor(tree: PageTree, first: number, rows: readonly number[], scope: number): number {
  let above = first;
  const low = Math.min(first, ...minMax(rows));
  const high = Math.max(first, ...minMax(rows));
  while (above > scope && !(contains(tree, above, low) && contains(tree, above, high)))
    above = tree.parent[above] ?? scope;
  return Math.max(above, scope);
}

function minMax(rows: readonly number[]): [number, number] {
  let low = Infinity;
  let high = -Infinity;
  for (const row of rows) {
    low = Math.min(low, row);
    high = Math.max(high, row);
  }
  return [low, high];
}

/**
 * For pages without a declared part: descends to the child with most of the prose, as long as its siblings have hardly
 * any.
 */
function descend(tree: PageTree, weights: TextWeights, scope: number): number {
  let row = scope;
  for (;;) {
    const prose = weights.prose[row] ?? 0;
    let best = -1;
    for (const child of childrenOf(tree, row)) {
      if (best < 0 || (weights.prose[child] ?? 0) > (weights.prose[best] ?? 0)) best = child;
    }
    const tag = tree.tag[best] ?? '';
    if (prose === 0 || best < 0 || !containerTags.has(tag) || tag === 'aside' || tag === 'nav') return row;
    const share = (weights.prose[best] ?? 0) / prose;
    // A single paragraph is only a part of the content.
    const paragraphs = weights.paragraphs[best] ?? 0;
    if (share < LEADING_SHARE || paragraphs === 0 || (share < DOMINANT_SHARE && paragraphs < MIN_PARAGRAPHS))
      return row;
    if (share < DOMINANT_SHARE && hasContentSibling(tree, weights, row, best)) return row;
    row = best;
  }
}

function hasContentSibling(tree: PageTree, weights: TextWeights, parent: number, best: number): boolean {
  const prose = weights.prose[parent] ?? 0;
  for (const child of childrenOf(tree, parent)) {
    if (child === best || (weights.prose[child] ?? 0) < MINOR_SHARE * prose) continue;
    if ((weights.paragraphs[child] ?? 0) > 0 && linkShare(weights, child) < TEASER_LINK_SHARE) return true;
  }
  return false;
}
