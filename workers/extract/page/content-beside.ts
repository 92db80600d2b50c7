import { childrenOf, type PageTree } from './page-tree.js';
import { containerTags } from './tag-sets.js';
import { linkShare, type TextWeights } from './text-weights.js';

/** Links in more of its text make a neighbour a menu or a list of teasers. */
const MAX_LINK_SHARE = 0.4;
const MIN_COMPANION_LINK_SHARE = 0.3;
/** What a found text must have beside it, as a share of it, before both are one content. */
const MIN_BESIDE_SHARE = 0.1;
/** A long text is the content by itself: its neighbours need more to belong to it. */
const LONG_PROSE = 2_500;
const MIN_BESIDE_LONG_SHARE = 0.8;
const MIN_NEIGHBOUR_PROSE = 8;
const MIN_SHARED_CLASSES = 0.6;

const MAX_CLASSES = 20;

function classesOf(tree: PageTree, row: number): string[] {
  const names = (tree.attributes[row]?.class ?? '').slice(0, 500).split(/\s+/);
  return names.filter((name) => name !== '').slice(0, MAX_CLASSES);
}

/** Same element, same first class, and most of the others. */
function isOfKind(tree: PageTree, row: number, tag: string, classes: readonly string[]): boolean {
  if (tree.tag[row] !== tag) return false;
  const own = classesOf(tree, row);
  if (own[0] !== classes[0]) return false;
  const shared = own.filter((name) => classes.includes(name)).length;
  return shared >= MIN_SHARED_CLASSES * Math.max(own.length, classes.length);
}

/**
 * Parts of one kind beside each other (posts of a thread, panels of tabs) are one content: where the found
 * part, or one that it lies in, has such neighbours, the element around them all.
 */
export function withCompanions(tree: PageTree, weights: TextWeights, found: number, scope: number): number {
  let best = found;
  for (let row = found; row > scope; row = tree.parent[row] ?? scope) {
    const tag = tree.tag[row] ?? '';
    const classes = classesOf(tree, row);
    if (classes.length === 0 || !containerTags.has(tag)) continue;
    const parent = tree.parent[row] ?? scope;
    if (parent < scope) break;
    for (const child of childrenOf(tree, parent)) {
      if (child === row || !isOfKind(tree, child, tag, classes)) continue;
      if ((weights.prose[child] ?? 0) < MIN_NEIGHBOUR_PROSE) continue;
      if (linkShare(weights, child) <= MIN_COMPANION_LINK_SHARE) {
        best = parent;
        break;
      }
    }
  }
  return best;
}

/**
 * On pages of many parts (offers, products, services) no part is the content: grows the found one while
 * others stand beside it.
 */
export function withContentBeside(
  tree: PageTree,
  weights: TextWeights,
  found: number,
  scope: number,
): number {
  let best = withCompanions(tree, weights, found, scope);
  for (let row = best; row > scope; row = tree.parent[row] ?? scope) {
    const parent = tree.parent[row] ?? scope;
    if (parent < scope) break;
    let beside = 0;
    for (const child of childrenOf(tree, parent)) {
      if (child !== row && linkShare(weights, child) <= MAX_LINK_SHARE) beside += weights.prose[child] ?? 0;
    }
    const own = weights.prose[best] ?? 0;
    if (beside >= (own > LONG_PROSE ? MIN_BESIDE_LONG_SHARE : MIN_BESIDE_SHARE) * own) best = parent;
  }
  return best;
}
