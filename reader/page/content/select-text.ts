import { notesElsewhere } from '../markdown/footnotes.js';
import { toMarkdown } from '../markdown/markdown.js';
import { foldedText } from '../tree/fold-blanks.js';
import { Hint } from '../tree/name-hints.js';
import { afterSubtree, type PageTree } from '../tree/page-tree.js';
import { blockTags, headingLevels } from '../tree/tag-sets.js';
import { textOf } from '../tree/text-of.js';
import { holdsBlocks, linkShare, type TextWeights, weigh } from '../tree/text-weights.js';
import { markBoilerplate, Strictness } from './boilerplate.js';
import { dropClosingLines } from './closing-lines.js';
import { markClutter } from './clutter.js';
import { knownTitles, repeatsTitle } from './known-titles.js';
import { findMainContent, isDeclaredContent } from './main-content.js';
import { dropOffers } from './offers.js';
import { dropPictureCaptions } from './picture-captions.js';
import { containsPrice } from './price.js';
import { dropFacets, dropOtherProducts } from './product-parts.js';
import { dropRepeats } from './repeats.js';
import { dropBesideThread } from './thread.js';

/**
 * If the result is shorter, a misleading name may have removed content, so it is compared with a less strict reading.
 */
const SUSPICIOUSLY_SHORT = 80;
const MUCH_MORE = 5;
/** A shorter text is compared with the rest of the page. */
const TINY_CHARS = 400;
const TINY_BESIDE = 8;
const MIN_PARAGRAPHS_BESIDE = 3;
const MIN_LEAD_CHARS = 60;
const MIN_SENTENCE_CHARS = 40;
const MAX_LEAD_BLOCKS = 4;
const MAX_PRICE_CHARS = 60;

/** Returns the main text of a page as Markdown; '' if there is none. */
export function selectText(tree: PageTree): string {
  let best = '';
  for (const strictness of [Strictness.names, Strictness.landmarks, Strictness.nothing]) {
    const { text, isSure } = readWith(tree, strictness);
    const isTiny = strictness !== Strictness.nothing && isTinyPart(tree, text);
    if (best === '' || text.length > best.length * MUCH_MORE) best = text;
    if (isTiny) continue;
    if (isSure || best.length >= SUSPICIOUSLY_SHORT) break;
  }
  return best;
}

/** Returns whether the text is a tiny part of the page's running text, because a name or element was misleading. */
function isTinyPart(tree: PageTree, text: string): boolean {
  if (text.length > TINY_CHARS) return false;
  const { prose, paragraphs } = markBoilerplate(tree, Strictness.landmarks).weights;
  return (paragraphs[0] ?? 0) >= MIN_PARAGRAPHS_BESIDE && (prose[0] ?? 0) > TINY_BESIDE * text.length;
}

function readWith(tree: PageTree, strictness: number): { text: string; isSure: boolean } {
  const { dropped, weights: around, thread } = markBoilerplate(tree, strictness);
  const isWhole = !dropped.includes(1);
  if (thread !== null) dropBesideThread(tree, thread, dropped);
  const weights = thread === null ? around : weigh(tree, dropped);
  const root = thread?.root ?? findMainContent(tree, weights);
  const before = leadRows(tree, root, dropped, weights);
  dropOtherProducts(tree, root, dropped, weights);
  dropFacets(tree, root, dropped, weights);
  dropOffers(tree, root, dropped, weights);
  markClutter(tree, root, dropped, weights, thread);
  if (thread === null) {
    dropPictureCaptions(tree, root, dropped, weights);
    dropRepeats(tree, [...before, root], dropped);
    dropClosingLines(tree, root, dropped, weights);
  }
  const rows = [...before.filter((row) => dropped[row] !== 1), root];
  const text = toMarkdown(tree, [...rows, ...notesElsewhere(tree, rows, dropped)], dropped);
  return { text, isSure: isWhole || (text !== '' && (thread !== null || isDeclaredContent(tree, root))) };
}

/** Returns the page's heading and the lead paragraphs between the heading and the content. */
function leadRows(tree: PageTree, root: number, dropped: Uint8Array, weights: TextWeights): number[] {
  const own = headingsWithin(tree, root);
  if (own.some((row) => isTitleOf(tree, row))) return [];
  const title = foldedText(tree.head.title);
  let heading = -1;
  for (let row = 0; row < root; row++) {
    if (tree.tag[row] !== 'h1' && tree.tag[row] !== 'h2') continue;
    const text = foldedText(textOf(tree, row));
    const isFirstRank = tree.tag[row] === 'h1' && (weights.chars[row] ?? 0) > 0;
    // If the content has its own headings, the name of the site or the heading of a menu is not a title.
    const repeats = own.length > 0 ? isFirstRank && title.startsWith(text) : title.includes(text);
    const isTitle = text.length >= 4 && repeats;
    const isOnly = own.length === 0 && isFirstRank;
    if (text !== '' && (isTitle || isOnly)) heading = row;
  }
  if (heading < 0) return [];
  return [heading, ...leadBlocks(tree, heading, root, dropped, weights)];
}

/** Returns the h1 headings in the content. */
function headingsWithin(tree: PageTree, root: number): number[] {
  const found: number[] = [];
  for (let row = root; row < afterSubtree(tree, root); row++) if (tree.tag[row] === 'h1') found.push(row);
  return found;
}

const isTitleOf = (tree: PageTree, heading: number): boolean =>
  knownTitles(tree).some((title) => repeatsTitle(textOf(tree, heading), title));

function leadBlocks(
  tree: PageTree,
  heading: number,
  root: number,
  dropped: Uint8Array,
  weights: TextWeights,
): number[] {
  const rows: number[] = [];
  for (let row = afterSubtree(tree, heading); row < root && rows.length < MAX_LEAD_BLOCKS; row++) {
    if (dropped[row] === 1) {
      row = afterSubtree(tree, row) - 1;
      continue;
    }
    const tag = tree.tag[row] ?? '';
    if (!blockTags.has(tag) || afterSubtree(tree, row) > root) continue;
    if ((tag === 'dl' || tag === 'table') && linkShare(weights, row) < 0.3) {
      rows.push(row);
      row = afterSubtree(tree, row) - 1;
      continue;
    }
    if (holdsBlocks(tree, row)) continue;
    const isLead = ((tree.hints[row] ?? 0) & Hint.lead) !== 0;
    const chars = weights.chars[row] ?? 0;
    if (headingLevels.has(tag)) {
      // A standfirst may be marked up as a heading.
      if (isLead || (chars >= MIN_LEAD_CHARS && linkShare(weights, row) < 0.3)) rows.push(row);
    } else if (linkShare(weights, row) < 0.3) {
      if (
        chars >= (isLead ? 1 : MIN_LEAD_CHARS) ||
        (chars <= MAX_PRICE_CHARS && containsPrice(textOf(tree, row)))
      )
        rows.push(row);
      else if (tag === 'p' && chars >= MIN_SENTENCE_CHARS && /[.!?。！？]$/.test(textOf(tree, row)))
        rows.push(row);
    }
  }
  return rows;
}
