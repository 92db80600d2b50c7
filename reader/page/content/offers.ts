import { afterSubtree, holdsTag, type PageTree } from '../tree/page-tree.js';
import { containerTags } from '../tree/tag-sets.js';
import { textOf } from '../tree/text-of.js';
import { linkShare, type TextWeights } from '../tree/text-weights.js';
import { isArticlePage, isProductPage } from './page-kind.js';
import { leadsAway } from './product-parts.js';

/** A longer element is a section of the text. */
const MAX_OFFER_CHARS = 300;
const MIN_CARDS = 3;
/** Minimum number of paragraphs beside the offers. With fewer, the offers are the content. */
const MIN_PARAGRAPHS = 3;
/** If the cards have a larger share of the text, they are the content. */
const MAX_CARDS_SHARE = 0.5;
const MAX_NAME_CHARS = 100;
const MAX_LABEL_CHARS = 40;
const MAX_BUTTONS = 2;
/** Calls to action that are longer or more numerous are the content. */
const MAX_CALLS = 3;
const MAX_CALLS_SHARE = 0.2;

/** Drops cards that lead to other services, and calls to action, if the page has its own text. */
export function dropOffers(tree: PageTree, root: number, dropped: Uint8Array, weights: TextWeights): void {
  if (isArticlePage(tree) || isProductPage(tree)) return;
  if ((weights.paragraphs[root] ?? 0) < MIN_PARAGRAPHS) return;
  const offers = offersIn(tree, root, dropped, weights);
  dropCards(tree, root, dropped, weights, offers);
  dropCalls(tree, root, dropped, weights, offers);
}

/**
 * Returns the outermost short elements that have a heading and end with a link to another page. A link inside the page,
 * for example to the next panel or to the top, ends a section of the text.
 */
function offersIn(tree: PageTree, root: number, dropped: Uint8Array, weights: TextWeights): number[] {
  const offers: number[] = [];
  for (let row = root + 1; row < afterSubtree(tree, root); row++) {
    const chars = dropped[row] === 1 ? 0 : (weights.chars[row] ?? 0);
    if (chars > MAX_OFFER_CHARS || (chars > 0 && !containerTags.has(tree.tag[row] ?? ''))) continue;
    const isOffer =
      chars > 0 &&
      (weights.links[row] ?? 0) > 0 &&
      !holdsTag(tree, row, 'h1') &&
      holdsTag(tree, row, 'h2', 'h3', 'h4', 'h5', 'h6') &&
      leadsAway(tree, lastLink(tree, row));
    if (isOffer) offers.push(row);
    row = afterSubtree(tree, row) - 1;
  }
  return offers;
}

/** Drops elements of one kind that are links, or that end with links with the same text, such as "Read more". */
function dropCards(
  tree: PageTree,
  root: number,
  dropped: Uint8Array,
  weights: TextWeights,
  offers: readonly number[],
): void {
  const kinds = new Map<string, number[]>();
  for (const row of offers) {
    const label = linkShare(weights, row) === 1 ? '' : textOf(tree, lastLink(tree, row));
    const kind = `${tree.tag[row]} ${tree.attributes[row]?.class?.slice(0, MAX_NAME_CHARS)} ${label}`;
    const rows = kinds.get(kind);
    if (rows === undefined) kinds.set(kind, [row]);
    else rows.push(row);
  }
  for (const cards of kinds.values()) {
    const total = (counts: ArrayLike<number>) => cards.reduce((sum, row) => sum + (counts[row] ?? 0), 0);
    if (cards.length < MIN_CARDS) continue;
    if (total(weights.chars) > MAX_CARDS_SHARE * (weights.chars[root] ?? 0)) continue;
    if ((weights.paragraphs[root] ?? 0) - total(weights.paragraphs) < MIN_PARAGRAPHS) continue;
    for (const row of cards) dropped[row] = 1;
  }
}

/** Drops elements that end with a link that occurs several times on the page, such as a button in its header. */
function dropCalls(
  tree: PageTree,
  root: number,
  dropped: Uint8Array,
  weights: TextWeights,
  offers: readonly number[],
): void {
  const ends = offers.filter((row) => dropped[row] !== 1 && endsWithButton(tree, row, weights));
  if (ends.length === 0) return;
  const uses = new Map<string, number>();
  for (const own of tree.attributes) {
    const href = own?.href;
    if (href !== undefined) uses.set(href, (uses.get(href) ?? 0) + 1);
  }
  const calls = ends.filter((row) => (uses.get(tree.attributes[lastLink(tree, row)]?.href ?? '') ?? 0) > 1);
  const chars = calls.reduce((sum, row) => sum + (weights.chars[row] ?? 0), 0);
  if (calls.length > MAX_CALLS || chars > MAX_CALLS_SHARE * (weights.chars[root] ?? 0)) return;
  for (const row of calls) dropped[row] = 1;
}

function endsWithButton(tree: PageTree, row: number, weights: TextWeights): boolean {
  if ((weights.links[row] ?? 0) > MAX_BUTTONS) return false;
  const last = lastLink(tree, row);
  for (let below = afterSubtree(tree, last); below < afterSubtree(tree, row); below++)
    if ((tree.text[below] ?? '').trim() !== '') return false;
  const label = textOf(tree, last);
  return label.length <= MAX_LABEL_CHARS && !/[.!?。]$/.test(label);
}

function lastLink(tree: PageTree, row: number): number {
  for (let below = afterSubtree(tree, row) - 1; below > row; below--)
    if (tree.tag[below] === 'a') return below;
  return row;
}
