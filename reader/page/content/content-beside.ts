import { childrenOf, type PageTree } from '../tree/page-tree.js';
import { containerTags } from '../tree/tag-sets.js';
import { linkShare, type TextWeights } from '../tree/text-weights.js';

/** A neighbour with a larger share of links is a menu or a list of teasers. */
const MAX_LINK_SHARE = 0.4;
const MIN_COMPANION_LINK_SHARE = 0.3;
/** Minimum text of the neighbours, as a share of the text found. */
const MIN_BESIDE_SHARE = 0.1;
/** Above this length of prose, neighbours need a larger share to count as content. */
const LONG_PROSE = 2_500;
const MIN_BESIDE_LONG_SHARE = 0.8;
const MIN_NEIGHBOUR_PROSE = 8;
const MIN_SHARED_CLASSES = 0.6;

const MAX_CLASSES = 20;

function classesOf(tree: PageTree, row: number): string[] {
  const names = (tree.attributes[row]?.class ?? '').slice(0, 500).split(/\s+/);
  return names.filter((name) => name !== '').slice(0, MAX_CLASSES);
}

/** Returns whether the row has the same element, the same first class and most of the other classes. */
function isOfKind(tree: PageTree, row: number, tag: string, classes: readonly string[]): boolean {
  if (tree.tag[row] !== tag) return false;
  const own = classesOf(tree, row);
  if (own[0] !== classes[0]) return false;
  const shared = own.filter((name) => classes.includes(name)).length;
  return shared >= MIN_SHARED_CLASSES * Math.max(own.length, classes.length);
}

/**
 * Returns the element around parts of the same kind (posts of a thread, panels of tabs) if the part found, or one of
 * its ancestors, has such neighbours.
 */
export function includeSiblings(tree: PageTree, weights: TextWeights, found: number, scope: number): number {
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

/** Adds the neighbours of the part found on pages of many similar parts (offers, products, services). */
export function includeNeighbours(
  tree: PageTree,
  weights: TextWeights,
  found: number,
  scope: number,
): number {
  let best = includeSiblings(tree, weights, found, scope);
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
