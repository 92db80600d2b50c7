import { markBoilerplate, Strictness } from './boilerplate.js';
import { markClutter, textOf } from './clutter.js';
import { foldBlanks } from './fold-blanks.js';
import { findMainContent, isDeclaredContent } from './main-content.js';
import { toMarkdown } from './markdown.js';
import { Hint } from './name-hints.js';
import type { PageTree } from './page-tree.js';
import { blockTags, headingLevels } from './tag-sets.js';
import { holdsBlocks, linkShare, type TextWeights, weigh } from './text-weights.js';

/** A result this short may have lost its content to a misleading name: a laxer reading is compared. */
const SUSPICIOUSLY_SHORT = 80;
const MUCH_MORE = 5;
const MIN_LEAD_CHARS = 60;
const MIN_SENTENCE_CHARS = 40;
const MAX_LEAD_BLOCKS = 4;
const MAX_PRICE_CHARS = 60;
const price =
  /(?:[$€£¥₹₽₺₩₪฿]|\b(?:USD|EUR|GBP|CHF|PLN|SEK|NOK|DKK|CZK|HUF|BRL|AUD|CAD|JPY|CNY|INR)\b)\s?\d|\d[\d\s.,]*\s?(?:[€£₽₺₩₪฿]|zł|kr\b|Kč|Ft\b|руб|лв|元|円|(?:USD|EUR|GBP|CHF|PLN|SEK|NOK|DKK|CZK)\b)/i;

/** The main text of a page in Markdown-like form; '' when there is none. */
export function selectText(tree: PageTree): string {
  let best = '';
  for (const strictness of [Strictness.names, Strictness.landmarks, Strictness.nothing]) {
    const { text, isSure } = readWith(tree, strictness);
    if (best === '' || text.length > best.length * MUCH_MORE) best = text;
    if (isSure || best.length >= SUSPICIOUSLY_SHORT) break;
  }
  return best;
}

function readWith(tree: PageTree, strictness: number): { text: string; isSure: boolean } {
  const dropped = markBoilerplate(tree, strictness);
  const isWhole = !dropped.includes(1);
  const weights = weigh(tree, dropped);
  const root = findMainContent(tree, weights);
  const before = leadRows(tree, root, dropped, weights);
  markClutter(tree, root, dropped, weights);
  const text = toMarkdown(tree, [...before, root], dropped);
  return { text, isSure: isWhole || (text !== '' && isDeclaredContent(tree, root)) };
}

/** The page's heading and the lead paragraphs that stand between it and the content. */
function leadRows(tree: PageTree, root: number, dropped: Uint8Array, weights: TextWeights): number[] {
  if (hasHeading(tree, root)) return [];
  const title = folded(tree.head.title);
  let heading = -1;
  for (let row = 0; row < root; row++) {
    if (tree.tag[row] !== 'h1' && tree.tag[row] !== 'h2') continue;
    const text = folded(textOf(tree, row));
    const isTitle = text.length >= 4 && title.includes(text);
    if (text !== '' && (isTitle || (tree.tag[row] === 'h1' && (weights.chars[row] ?? 0) > 0))) heading = row;
  }
  if (heading < 0) return [];
  return [heading, ...leadBlocks(tree, heading, root, dropped, weights)];
}

function hasHeading(tree: PageTree, root: number): boolean {
  for (let row = root; row < (tree.end[root] ?? 0); row++) if (tree.tag[row] === 'h1') return true;
  return false;
}

function leadBlocks(
  tree: PageTree,
  heading: number,
  root: number,
  dropped: Uint8Array,
  weights: TextWeights,
): number[] {
  const rows: number[] = [];
  for (let row = tree.end[heading] ?? 0; row < root && rows.length < MAX_LEAD_BLOCKS; row++) {
    if (dropped[row] === 1) {
      row = (tree.end[row] ?? row + 1) - 1;
      continue;
    }
    const tag = tree.tag[row] ?? '';
    if (!blockTags.has(tag) || (tree.end[row] ?? 0) > root) continue;
    if ((tag === 'dl' || tag === 'table') && linkShare(weights, row) < 0.3) {
      rows.push(row);
      row = (tree.end[row] ?? row + 1) - 1;
      continue;
    }
    if (holdsBlocks(tree, row)) continue;
    const isLead = ((tree.hints[row] ?? 0) & Hint.lead) !== 0;
    const chars = weights.chars[row] ?? 0;
    if (headingLevels.has(tag)) {
      if (isLead) rows.push(row);
    } else if (linkShare(weights, row) < 0.3) {
      if (
        chars >= (isLead ? 1 : MIN_LEAD_CHARS) ||
        (chars <= MAX_PRICE_CHARS && price.test(textOf(tree, row)))
      )
        rows.push(row);
      else if (tag === 'p' && chars >= MIN_SENTENCE_CHARS && /[.!?。！？]$/.test(textOf(tree, row)))
        rows.push(row);
    }
  }
  return rows;
}

const folded = (text: string): string => foldBlanks(text).trim().toLowerCase();
