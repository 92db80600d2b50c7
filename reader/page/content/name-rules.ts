import { isGutter } from '../markdown/code-block.js';
import { Hint } from '../tree/name-hints.js';
import type { PageTree } from '../tree/page-tree.js';
import { blockTags, headingLevels } from '../tree/tag-sets.js';
import { holdsBlocks, linkShare, type TextWeights } from '../tree/text-weights.js';
import { closest, type Landmarks } from './landmarks.js';
import { isArticlePage, isProductPage } from './page-kind.js';

/** Limits on dropping an element by names such as "sidebar" or "share". */
export interface NameRule {
  hints: number;
  /** Maximum share of the page's prose, and maximum text, in one dropped element. */
  maxShare: number;
  maxChars: number;
  minLinkShare?: number;
  /** If true, an element with the page's heading is kept. */
  sparesHeadings: boolean;
  /**
   * Minimum number of paragraphs of running text outside all such elements. Not required if the page declares its
   * content.
   */
  minParagraphs?: number;
  /** If all such elements together have a larger share of the prose, they are the content. */
  maxTotalShare: number;
}

const nameRules: readonly NameRule[] = [
  { hints: Hint.cookie, maxShare: 0.6, maxChars: 60_000, sparesHeadings: false, maxTotalShare: 0.8 },
  {
    hints: Hint.navigation | Hint.footer | Hint.sidebar | Hint.popup,
    maxShare: 0.5,
    maxChars: Infinity,
    sparesHeadings: false,
    maxTotalShare: 0.85,
  },
  {
    hints: Hint.advert | Hint.newsletter,
    maxShare: 0.4,
    maxChars: 6_000,
    sparesHeadings: true,
    maxTotalShare: 0.5,
  },
  {
    hints: Hint.related,
    maxShare: 0.4,
    maxChars: Infinity,
    minLinkShare: 0.15,
    sparesHeadings: true,
    maxTotalShare: 0.6,
  },
  {
    hints: Hint.teasers,
    maxShare: 0.4,
    maxChars: Infinity,
    minLinkShare: 0.15,
    minParagraphs: 4,
    sparesHeadings: true,
    maxTotalShare: 0.6,
  },
  {
    hints: Hint.column,
    maxShare: 0.4,
    maxChars: Infinity,
    minLinkShare: 0.3,
    sparesHeadings: true,
    maxTotalShare: 0.5,
  },
  {
    hints: Hint.share | Hint.form,
    maxShare: 0.25,
    maxChars: 1_500,
    sparesHeadings: true,
    maxTotalShare: 0.35,
  },
  { hints: Hint.service, maxShare: 0.6, maxChars: Infinity, sparesHeadings: true, maxTotalShare: 0.8 },
  { hints: Hint.facets, maxShare: 0.25, maxChars: 3_000, sparesHeadings: true, maxTotalShare: 0.35 },
  { hints: Hint.author, maxShare: 0.25, maxChars: 1_200, sparesHeadings: true, maxTotalShare: 0.3 },
  { hints: Hint.meta, maxShare: 0.2, maxChars: 300, sparesHeadings: true, maxTotalShare: 0.3 },
  {
    hints: Hint.contents,
    maxShare: 0.3,
    maxChars: 8_000,
    minLinkShare: 0.6,
    sparesHeadings: true,
    maxTotalShare: 0.5,
  },
  {
    hints: Hint.gutter | Hint.editLink,
    maxShare: 0.1,
    maxChars: 5_000,
    sparesHeadings: true,
    maxTotalShare: 0.3,
  },
  { hints: Hint.unseen, maxShare: 0.3, maxChars: 3_000, sparesHeadings: false, maxTotalShare: 0.5 },
];

/** Names for large parts of a page. An element with the page's title is none of these parts. */
const bigParts =
  Hint.sidebar |
  Hint.popup |
  Hint.advert |
  Hint.newsletter |
  Hint.related |
  Hint.teasers |
  Hint.column |
  Hint.form;

const MIN_MENU_LINK_SHARE = 0.1;
const MIN_DISHES_CHARS = 60;

const headings: ReadonlySet<string> = new Set(headingLevels.keys());

/** Returns the rule by which an element may be dropped because of its names; null if there is no such rule. */
export function ruleAgainst(
  tree: PageTree,
  row: number,
  hints: number,
  share: number,
  landmarks: Landmarks,
  weights: TextWeights,
): NameRule | null {
  const tag = tree.tag[row] ?? '';
  if (headingLevels.has(tag) || tag === 'dt' || tag === 'summary' || (landmarks.mains[row] ?? 0) > 0)
    return null;
  if (tag === 'article' && (hints & (Hint.related | Hint.teasers | Hint.advert)) === 0) return null;
  const chars = weights.chars[row] ?? 0;
  let asked = hints;
  // Boxes with facts may have names of cards and data.
  if ((hints & Hint.note) !== 0) asked &= ~(Hint.author | Hint.meta | Hint.column);
  const heading = closest(tree, row, headings);
  if (heading >= 0) {
    if (chars > 0.6 * (weights.chars[heading] ?? 0)) return null;
    asked &= Hint.editLink | Hint.gutter | Hint.unseen;
  } else if (!blockTags.has(tag) && chars > 2 && isInProse(tree, row, chars, weights)) {
    asked &= Hint.gutter | Hint.unseen;
  }
  if ((hints & Hint.disclosure) !== 0) asked &= ~Hint.unseen;
  const isPanel = (hints & Hint.disclosure) !== 0 && tree.attributes[row]?.role === 'region';
  if (isPanel) asked &= ~Hint.popup;
  // A text over a picture may contain the title.
  if ((landmarks.titles[row] ?? 0) > 0) asked &= ~(Hint.popup | Hint.sidebar);
  if ((landmarks.ownTitles[row] ?? 0) > 0) asked &= ~bigParts;
  if ((asked & Hint.gutter) !== 0 && !isGutter(tree, row)) asked &= ~Hint.gutter;
  if ((asked & Hint.service) !== 0 && !isProductPage(tree)) asked &= ~Hint.service;
  if ((asked & Hint.facets) !== 0 && isArticlePage(tree)) asked &= ~Hint.facets;
  const linked = linkShare(weights, row);
  // A menu of dishes is content.
  if (linked < MIN_MENU_LINK_SHARE && chars >= MIN_DISHES_CHARS) asked &= ~Hint.navigation;
  if (asked === 0) return null;
  const found = nameRules.find(
    (rule) =>
      (asked & rule.hints) !== 0 &&
      share <= rule.maxShare &&
      chars <= rule.maxChars &&
      linked >= (rule.minLinkShare ?? 0) &&
      !(rule.sparesHeadings && (landmarks.headings[row] ?? 0) > 0),
  );
  return found ?? null;
}

/** Returns whether an inline element is part of a sentence, because its block has clearly more text. */
function isInProse(tree: PageTree, row: number, chars: number, weights: TextWeights): boolean {
  const block = closest(tree, row, blockTags);
  return (
    block >= 0 &&
    (weights.chars[block] ?? 0) >= 2 * chars &&
    (weights.prose[block] ?? 0) > 0 &&
    !holdsBlocks(tree, block)
  );
}
