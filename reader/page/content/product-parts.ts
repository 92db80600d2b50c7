import { afterSubtree, childrenOf, holdsTag, type PageTree } from '../tree/page-tree.js';
import { textOf } from '../tree/text-of.js';
import type { TextWeights } from '../tree/text-weights.js';
import { isArticlePage, isSingleProductPage } from './page-kind.js';
import { containsPrice } from './price.js';
import { groupByKind } from './repeated-kinds.js';

const MIN_CARDS = 3;
const MAX_CARD_CHARS = 250;
/** If the cards have a larger share of the text, they are the content. */
const MAX_CARDS_SHARE = 0.6;
const MIN_FACETS = 4;
const MAX_FACET_CHARS = 50;
/** Maximum length of an entry with surrounding blanks, in UTF-16 units. */
const MAX_FACET_TEXT = 100;
/** Minimum share of a list's entries that state a number of results. */
const MIN_FACETS_SHARE = 0.8;
const MAX_FACETS_SHARE = 0.3;
const numberOfResults = /\p{L}.*[([（]\s?\d[\d.,\s]*[)\]）]$/u;

/** Drops other products from a page about one product. */
export function dropOtherProducts(
  tree: PageTree,
  root: number,
  dropped: Uint8Array,
  weights: TextWeights,
): void {
  if (!isSingleProductPage(tree)) return;
  for (const rows of groupByKind(tree, weights)) {
    const cards = rows.filter(
      (row) => row > root && row < afterSubtree(tree, root) && isCard(tree, row, weights),
    );
    if (cards.length < MIN_CARDS || cards.length < rows.length) continue;
    const chars = cards.reduce((sum, row) => sum + (weights.chars[row] ?? 0), 0);
    if (chars > MAX_CARDS_SHARE * (weights.chars[root] ?? 0)) continue;
    for (const row of cards) dropped[row] = 1;
  }
}

/** Returns whether the row is a short element with a link to another page and a price. */
function isCard(tree: PageTree, row: number, weights: TextWeights): boolean {
  if ((weights.chars[row] ?? 0) > MAX_CARD_CHARS || (weights.links[row] ?? 0) === 0) return false;
  return leadsAway(tree, row) && !holdsTag(tree, row, 'h1') && containsPrice(textOf(tree, row));
}

/** Returns whether an element holds a link to another page. */
export function leadsAway(tree: PageTree, row: number): boolean {
  for (let below = row; below < afterSubtree(tree, row); below++) {
    const href = tree.tag[below] === 'a' ? tree.attributes[below]?.href : undefined;
    if (href !== undefined && href !== '' && !/^(?:#|javascript:)/i.test(href)) return true;
  }
  return false;
}

/** Drops lists of filters. Their entries state the number of results. */
export function dropFacets(tree: PageTree, root: number, dropped: Uint8Array, weights: TextWeights): void {
  if (isArticlePage(tree)) return;
  const brackets = bracketsOf(tree);
  let next = 0;
  const maxChars = MAX_FACETS_SHARE * (weights.chars[root] ?? 0);
  for (let row = root + 1; row < afterSubtree(tree, root); row++) {
    if (dropped[row] === 1 || (weights.chars[row] ?? 0) === 0) {
      row = afterSubtree(tree, row) - 1;
      continue;
    }
    while ((brackets[next] ?? Infinity) < row) next += 1;
    const lastNeeded = brackets[next + MIN_FACETS - 1];
    if (lastNeeded === undefined) return;
    if (lastNeeded >= afterSubtree(tree, row)) continue;
    if (!listTags.has(tree.tag[row] ?? '') || (weights.chars[row] ?? 0) > maxChars) continue;
    let entries = 0;
    let counted = 0;
    for (const child of childrenOf(tree, row)) {
      const chars = weights.chars[child] ?? 0;
      if (chars === 0) continue;
      entries += 1;
      if (chars <= MAX_FACET_CHARS && numberOfResults.test(textOf(tree, child))) counted += 1;
    }
    if (counted < MIN_FACETS || counted < MIN_FACETS_SHARE * entries) continue;
    dropped[row] = 1;
    row = afterSubtree(tree, row) - 1;
  }
}

/** Returns the rows of short texts that end with a bracket, as filters do. */
function bracketsOf(tree: PageTree): number[] {
  const rows: number[] = [];
  for (let row = 1; row < tree.text.length; row++) {
    const text = tree.text[row] ?? '';
    if (text.length < 2 || text.length >= MAX_FACET_TEXT) continue;
    const last = text.trimEnd().at(-1);
    if (last === ')' || last === ']' || last === '）') rows.push(row);
  }
  return rows;
}

const listTags: ReadonlySet<string> = new Set(['ul', 'ol', 'div', 'fieldset', 'section', 'dl', 'menu']);
