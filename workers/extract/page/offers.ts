import { isArticlePage, isProductPage } from './page-kind.js';
import { afterSubtree, holdsTag, type PageTree } from './page-tree.js';
import { leadsAway } from './product-parts.js';
import { groupByKind } from './repeated-kinds.js';
import { containerTags } from './tag-sets.js';
import { textOf } from './text-of.js';
import { linkShare, type TextWeights } from './text-weights.js';

const MIN_CARDS = 3;
const MAX_CARD_CHARS = 300;
/** Minimum paragraphs beside cards. Without such a text, the cards are the content. */
const MIN_PARAGRAPHS = 3;
/** Cards with a larger share of the text are the content. */
const MAX_CARDS_SHARE = 0.5;
const MAX_CALL_CHARS = 250;
const MAX_LABEL_CHARS = 40;
/** More or longer calls are the content. */
const MAX_CALLS = 3;
const MAX_CALLS_SHARE = 0.2;

/** Drops cards that lead to other services, and calls to action, from a page with a text of its own. */
export function dropOffers(tree: PageTree, root: number, dropped: Uint8Array, weights: TextWeights): void {
  if (isArticlePage(tree) || isProductPage(tree)) return;
  if ((weights.paragraphs[root] ?? 0) < MIN_PARAGRAPHS) return;
  dropCards(tree, root, dropped, weights);
  dropCalls(tree, root, dropped, weights);
}

function dropCards(tree: PageTree, root: number, dropped: Uint8Array, weights: TextWeights): void {
  for (const rows of groupByKind(tree, weights)) {
    const cards = rows.filter((row) => row > root && row < afterSubtree(tree, root));
    if (cards.length < MIN_CARDS || !cards.every((row) => isCard(tree, row, weights))) continue;
    const total = (counts: ArrayLike<number>) => cards.reduce((sum, row) => sum + (counts[row] ?? 0), 0);
    if (total(weights.chars) > MAX_CARDS_SHARE * (weights.chars[root] ?? 0)) continue;
    if ((weights.paragraphs[root] ?? 0) - total(weights.paragraphs) < MIN_PARAGRAPHS) continue;
    const labels = new Set(cards.map((row) => lastLink(tree, row)));
    if (labels.size === 1 || cards.every((row) => linkShare(weights, row) === 1))
      for (const row of cards) dropped[row] = 1;
  }
}

/** A short element with a heading and a link to another page. */
const isCard = (tree: PageTree, row: number, weights: TextWeights): boolean =>
  (weights.chars[row] ?? 0) <= MAX_CARD_CHARS &&
  (weights.links[row] ?? 0) > 0 &&
  !holdsTag(tree, row, 'h1') &&
  holdsTag(tree, row, 'h2', 'h3', 'h4', 'h5', 'h6') &&
  leadsAway(tree, row);

function lastLink(tree: PageTree, row: number): string {
  let label = '';
  for (let below = row; below < afterSubtree(tree, row); below++)
    if (tree.tag[below] === 'a') label = textOf(tree, below);
  return label;
}

/** Drops short parts that end with a link which the page shows more than once, such as the button in its head. */
function dropCalls(tree: PageTree, root: number, dropped: Uint8Array, weights: TextWeights): void {
  const uses = new Map<string, number>();
  for (const own of tree.attributes) {
    const href = own?.href;
    if (href !== undefined) uses.set(href, (uses.get(href) ?? 0) + 1);
  }
  const calls: number[] = [];
  for (let row = root + 1; row < afterSubtree(tree, root); row++) {
    const chars = weights.chars[row] ?? 0;
    const isPart = containerTags.has(tree.tag[row] ?? '') && chars <= MAX_CALL_CHARS;
    if (dropped[row] !== 1 && chars > 0 && !isPart) continue;
    if (dropped[row] !== 1 && isCall(tree, row, weights, uses)) calls.push(row);
    row = afterSubtree(tree, row) - 1;
  }
  const chars = calls.reduce((sum, row) => sum + (weights.chars[row] ?? 0), 0);
  if (calls.length > MAX_CALLS || chars > MAX_CALLS_SHARE * (weights.chars[root] ?? 0)) return;
  for (const row of calls) dropped[row] = 1;
}

function isCall(
  tree: PageTree,
  row: number,
  weights: TextWeights,
  uses: ReadonlyMap<string, number>,
): boolean {
  const links = weights.links[row] ?? 0;
  if (links < 1 || links > 2 || !holdsTag(tree, row, 'h2', 'h3', 'h4', 'h5', 'h6') || !leadsAway(tree, row))
    return false;
  let last = -1;
  for (let below = row; below < afterSubtree(tree, row); below++) {
    if (tree.tag[below] === 'a') last = below;
    else if (last >= 0 && below >= afterSubtree(tree, last) && (tree.text[below] ?? '').trim() !== '')
      return false;
  }
  const label = textOf(tree, last);
  const isButton = label.length <= MAX_LABEL_CHARS && !/[.!?。]$/.test(label);
  return isButton && (uses.get(tree.attributes[last]?.href ?? '') ?? 0) > 1;
}
