import { foldBlanks } from './fold-blanks.js';
import { afterSubtree, type PageTree } from './page-tree.js';

/** Longer texts are cut, because callers need only headings, labels or lines. */
const MAX_CHARS = 2_000;

/** Returns the text of a subtree, with white space collapsed. */
export function textOf(tree: PageTree, row: number): string {
  let text = '';
  for (let below = row; below < afterSubtree(tree, row) && text.length < MAX_CHARS; below++)
    text += tree.text[below] ?? '';
  return foldBlanks(text).trim();
}
