import { foldedText } from '../tree/fold-blanks.js';
import { Hint } from '../tree/name-hints.js';
import { afterSubtree, type PageTree } from '../tree/page-tree.js';
import { blockTags, headingLevels } from '../tree/tag-sets.js';
import { textOf } from '../tree/text-of.js';
import { holdsBlocks } from '../tree/text-weights.js';
import { isArticlePage, isProductPage } from './page-kind.js';

/** A shorter text may be repeated on purpose. */
const MIN_CHARS = 40;
const MAX_CHARS = 1_500;
const MAX_QUOTED_CHARS = 400;
/** The first blocks may contain a standfirst taken from the text. */
const FIRST_BLOCKS = 3;
const MAX_QUOTED = 40;

interface Block {
  row: number;
  text: string;
  /** True for a standfirst, caption or pull quote, which may repeat part of a longer paragraph. */
  mayQuote: boolean;
}

/**
 * Drops texts that an article or product page repeats: copies of a paragraph, and standfirsts, captions and pull quotes
 * that are part of a longer paragraph.
 */
export function dropRepeats(tree: PageTree, roots: readonly number[], dropped: Uint8Array): void {
  if (!isArticlePage(tree) && !isProductPage(tree)) return;
  const seen = new Set<string>();
  const blocks: Block[] = [];
  for (const block of blocksOf(tree, roots, dropped)) {
    if (seen.has(block.text)) dropped[block.row] = 1;
    else blocks.push(block);
    seen.add(block.text);
  }
  const whole = blocks.map(({ text }) => text).join('\n');
  let start = 0;
  let compared = 0;
  for (const [at, { row, text, mayQuote }] of blocks.entries()) {
    const end = start + text.length;
    if ((mayQuote || at < FIRST_BLOCKS) && text.length <= MAX_QUOTED_CHARS && compared++ < MAX_QUOTED) {
      const words = text.replace(/^[\p{P}\s]+|[\p{P}\s]+$/gu, '');
      const isEarlier = whole.slice(0, start).includes(words);
      if (words.length >= MIN_CHARS && (isEarlier || whole.includes(words, end))) dropped[row] = 1;
    }
    start = end + 1;
  }
}

function* blocksOf(tree: PageTree, roots: readonly number[], dropped: Uint8Array): Generator<Block> {
  for (const root of roots) {
    for (let row = root; row < afterSubtree(tree, root); row++) {
      const tag = tree.tag[row] ?? '';
      if (dropped[row] === 1 || exactTags.has(tag) || ((tree.hints[row] ?? 0) & Hint.verse) !== 0) {
        row = afterSubtree(tree, row) - 1;
        continue;
      }
      if (!blockTags.has(tag) || tag === 'h1' || holdsBlocks(tree, row)) continue;
      const text = foldedText(textOf(tree, row));
      if (text.length >= MIN_CHARS && text.length <= MAX_CHARS)
        yield { row, text, mayQuote: isQuoting(tree, row) };
      row = afterSubtree(tree, row) - 1;
    }
  }
}

/** Elements in which repeated texts are intentional. */
const exactTags: ReadonlySet<string> = new Set(['table', 'pre', 'ul', 'ol', 'dl']);

function isQuoting(tree: PageTree, row: number): boolean {
  const tag = tree.tag[row] ?? '';
  if (tag === 'figcaption' || headingLevels.has(tag)) return true;
  const parent = tree.parent[row] ?? 0;
  if (tag === 'blockquote' || tree.tag[parent] === 'blockquote') return true;
  const hints = (tree.hints[row] ?? 0) | (tree.hints[parent] ?? 0);
  return (hints & Hint.lead) !== 0;
}
