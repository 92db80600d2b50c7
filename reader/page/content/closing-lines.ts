import { foldedText } from '../tree/fold-blanks.js';
import { afterSubtree, holdsTag, type PageTree } from '../tree/page-tree.js';
import { blockTags, headingLevels } from '../tree/tag-sets.js';
import { textOf } from '../tree/text-of.js';
import { holdsBlocks, type TextWeights } from '../tree/text-weights.js';
import { declaredNames } from './declared-labels.js';
import { isArticlePage } from './page-kind.js';

/** Number of blocks at the end of an article that may describe its publisher or authors. */
const LAST_BLOCKS = 3;
const MIN_PARAGRAPHS = 4;
const MAX_CHARS = 500;
const MIN_NAME_CHARS = 4;

/**
 * Drops the last lines of an article if they describe its publisher or authors: they begin with a declared name and are
 * set apart by emphasis, a rule or their own element.
 */
export function dropClosingLines(
  tree: PageTree,
  root: number,
  dropped: Uint8Array,
  weights: TextWeights,
): void {
  if (!isArticlePage(tree) || (weights.paragraphs[root] ?? 0) < MIN_PARAGRAPHS) return;
  const names = [...declaredNames(tree)].filter((name) => name.length >= MIN_NAME_CHARS);
  if (names.length === 0) return;
  const blocks = blocksOf(tree, root, dropped);
  for (const [at, row] of blocks.slice(-LAST_BLOCKS).entries()) {
    const before = blocks.at(at - Math.min(LAST_BLOCKS, blocks.length) - 1) ?? root;
    const text = foldedText(textOf(tree, row));
    if (text.length > MAX_CHARS || !names.some((name) => begins(text, name))) continue;
    if (isEmphasised(tree, row) || isApart(tree, before, row)) dropped[row] = 1;
  }
}

/** Returns whether the text begins with the name. One short word or mark may precede it, as in "About …" or "– …". */
function begins(text: string, name: string): boolean {
  const at = text.indexOf(name);
  return (
    at >= 0 &&
    /^[^\p{L}\p{N}]*(?:\p{L}{1,8}\s)?[^\p{L}\p{N}]*$/u.test(text.slice(0, at)) &&
    text.length > at + name.length
  );
}

/** Returns the rows of the remaining text blocks, without headings. */
function blocksOf(tree: PageTree, root: number, dropped: Uint8Array): number[] {
  const rows: number[] = [];
  for (let row = root + 1; row < afterSubtree(tree, root); row++) {
    if (dropped[row] === 1) row = afterSubtree(tree, row) - 1;
    else if (blockTags.has(tree.tag[row] ?? '') && !holdsBlocks(tree, row)) {
      if (!headingLevels.has(tree.tag[row] ?? '') && textOf(tree, row) !== '') rows.push(row);
      row = afterSubtree(tree, row) - 1;
    }
  }
  return rows;
}

/** Returns whether all text of a block is in emphasis. */
function isEmphasised(tree: PageTree, row: number): boolean {
  for (let below = row + 1; below < afterSubtree(tree, row); below++) {
    if (tree.tag[below] === 'em' || tree.tag[below] === 'i') below = afterSubtree(tree, below) - 1;
    else if (/[\p{L}\p{N}]/u.test(tree.text[below] ?? '')) return false;
  }
  return holdsTag(tree, row, 'em', 'i');
}

/** Returns whether a rule or the end of an element separates two blocks. */
function isApart(tree: PageTree, before: number, row: number): boolean {
  if (tree.parent[before] !== tree.parent[row]) return true;
  for (let between = afterSubtree(tree, before); between < row; between++)
    if (tree.tag[between] === 'hr') return true;
  return false;
}
