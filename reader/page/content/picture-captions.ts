import { foldedText } from '../tree/fold-blanks.js';
import { afterSubtree, type PageTree } from '../tree/page-tree.js';
import { textOf } from '../tree/text-of.js';
import type { TextWeights } from '../tree/text-weights.js';
import { isJournalPage } from './page-kind.js';

const MIN_PARAGRAPHS = 4;

/**
 * Drops the captions of pictures in a news article, because they interrupt the text if the picture is missing. Keeps
 * captions of tables, code and other figures with text.
 */
export function dropPictureCaptions(
  tree: PageTree,
  root: number,
  dropped: Uint8Array,
  weights: TextWeights,
): void {
  if (!isJournalPage(tree) || (weights.paragraphs[root] ?? 0) < MIN_PARAGRAPHS) return;
  for (let row = root; row < afterSubtree(tree, root); row++) {
    if (tree.tag[row] !== 'figcaption') continue;
    const figure = tree.parent[row] ?? root;
    if (tree.tag[figure] === 'figure' && foldedText(textOf(tree, figure)) === foldedText(textOf(tree, row)))
      dropped[row] = 1;
    row = afterSubtree(tree, row) - 1;
  }
}
