import { textOf } from './clutter.js';
import { foldBlanks } from './fold-blanks.js';
import type { PageTree } from './page-tree.js';

const MIN_TITLE_CHARS = 4;

/** What stands in the way of dropping a subtree, counted below each row. */
export interface Landmarks {
  /** `main` elements and declared article bodies. */
  mains: Int32Array;
  articles: Int32Array;
  /** Of the first rank. */
  headings: Int32Array;
  /** Of the first rank, with the page's title in them. */
  titles: Int32Array;
}

export function countLandmarks(tree: PageTree): Landmarks {
  const size = tree.tag.length;
  const found = {
    mains: new Int32Array(size),
    articles: new Int32Array(size),
    headings: new Int32Array(size),
    titles: new Int32Array(size),
  };
  const title = foldBlanks(tree.head.title);
  for (let row = size - 1; row >= 0; row--) {
    const tag = tree.tag[row] ?? '';
    if (tag === '') continue;
    if (isMain(tree, row) || isDeclaredBody(tree, row)) bump(found.mains, row, 1);
    if (tag === 'article') bump(found.articles, row, 1);
    if (tag === 'h1') {
      bump(found.headings, row, 1);
      if (isTitle(textOf(tree, row), title)) bump(found.titles, row, 1);
    }
    const parent = tree.parent[row] ?? -1;
    if (parent < 0) continue;
    bump(found.mains, parent, found.mains[row] ?? 0);
    bump(found.articles, parent, found.articles[row] ?? 0);
    bump(found.headings, parent, found.headings[row] ?? 0);
    bump(found.titles, parent, found.titles[row] ?? 0);
  }
  return found;
}

/** Whether a row is declared to be the page's main part. */
export const isMain = (tree: PageTree, row: number): boolean =>
  tree.tag[row] === 'main' || tree.attributes[row]?.role === 'main';

/** https://schema.org/articleBody */
export function isDeclaredBody(tree: PageTree, row: number): boolean {
  const property = tree.attributes[row]?.itemprop;
  return property !== undefined && /articleBody/i.test(property);
}

/** The site's name stands at a title's end; the page's own heading opens it or fills most of it. */
function isTitle(heading: string, title: string): boolean {
  if (heading.length < MIN_TITLE_CHARS || !title.includes(heading)) return false;
  return title.startsWith(heading) || heading.length > title.length / 2;
}

function bump(counts: Int32Array, row: number, by: number): void {
  counts[row] = (counts[row] ?? 0) + by;
}

/** The nearest ancestor of one of these kinds, -1 without. */
export function closest(tree: PageTree, row: number, tags: ReadonlySet<string>): number {
  let above = tree.parent[row] ?? -1;
  for (let steps = 0; above >= 0 && steps < 100; steps++) {
    if (tags.has(tree.tag[above] ?? '')) return above;
    above = tree.parent[above] ?? -1;
  }
  return -1;
}
