import { foldBlanks } from '../tree/fold-blanks.js';
import { afterSubtree, ancestorsOf, type PageTree } from '../tree/page-tree.js';
import { textOf } from '../tree/text-of.js';
import { knownTitles, repeatsTitle } from './known-titles.js';

/** A shorter heading of a lower rank may repeat a title by chance. */
const MIN_OWN_TITLE_CHARS = 10;

/** For each row, the number of elements below it that indicate content. */
export interface Landmarks {
  /** `main` elements and declared article bodies. */
  mains: Int32Array;
  articles: Int32Array;
  /** h1 headings. */
  headings: Int32Array;
  /** h1 headings that repeat the page's title. */
  titles: Int32Array;
  /** h1 to h3 headings that repeat a title of the page and are not links. */
  ownTitles: Int32Array;
}

const titleTags: ReadonlySet<string> = new Set(['h1', 'h2', 'h3']);
const links: ReadonlySet<string> = new Set(['a']);

export function countLandmarks(tree: PageTree): Landmarks {
  const size = tree.tag.length;
  const found = {
    mains: new Int32Array(size),
    articles: new Int32Array(size),
    headings: new Int32Array(size),
    titles: new Int32Array(size),
    ownTitles: new Int32Array(size),
  };
  const title = foldBlanks(tree.head.title);
  const holdsAny = new Uint8Array(size);
  for (let row = size - 1; row >= 0; row--) {
    const tag = tree.tag[row] ?? '';
    if (tag === '') continue;
    const isBody = isMain(tree, row) || isDeclaredBody(tree, row);
    const isArticle = tag === 'article';
    if (isBody || isArticle || titleTags.has(tag)) {
      holdsAny[row] = 1;
      if (isBody) bump(found.mains, row, 1);
      if (isArticle) bump(found.articles, row, 1);
      if (tag === 'h1') {
        bump(found.headings, row, 1);
        if (repeatsTitle(textOf(tree, row), title)) bump(found.titles, row, 1);
      }
      if (titleTags.has(tag) && isOwnTitle(tree, row)) bump(found.ownTitles, row, 1);
    }
    const parent = tree.parent[row] ?? -1;
    if (parent < 0 || holdsAny[row] === 0) continue;
    holdsAny[parent] = 1;
    bump(found.mains, parent, found.mains[row] ?? 0);
    bump(found.articles, parent, found.articles[row] ?? 0);
    bump(found.headings, parent, found.headings[row] ?? 0);
    bump(found.titles, parent, found.titles[row] ?? 0);
    bump(found.ownTitles, parent, found.ownTitles[row] ?? 0);
  }
  return found;
}

export const isMain = (tree: PageTree, row: number): boolean =>
  tree.tag[row] === 'main' || tree.attributes[row]?.role === 'main';

/** Returns whether the row is a declared article body (https://schema.org/articleBody). */
export function isDeclaredBody(tree: PageTree, row: number): boolean {
  const property = tree.attributes[row]?.itemprop;
  return property !== undefined && /articleBody/i.test(property);
}

/** Returns whether the heading repeats a title. Excludes links, because lists of popular articles repeat titles. */
function isOwnTitle(tree: PageTree, row: number): boolean {
  const heading = textOf(tree, row);
  const isFirstRank = tree.tag[row] === 'h1';
  if (!isFirstRank && heading.length < MIN_OWN_TITLE_CHARS) return false;
  return knownTitles(tree).some((title) => repeatsTitle(heading, title)) && !isInLink(tree, row);
}

/** Returns whether a heading is inside a link or consists of one. */
function isInLink(tree: PageTree, heading: number): boolean {
  if (closest(tree, heading, links) >= 0) return true;
  for (let row = heading; row < afterSubtree(tree, heading); row++) {
    if (tree.tag[row] === 'a' && tree.attributes[row]?.href !== undefined && textOf(tree, row).length > 1)
      return true;
  }
  return false;
}

function bump(counts: Int32Array, row: number, by: number): void {
  counts[row] = (counts[row] ?? 0) + by;
}

/** Returns the nearest ancestor with one of these tags, or -1. */
export function closest(tree: PageTree, row: number, tags: ReadonlySet<string>): number {
  for (const above of ancestorsOf(tree, row)) if (tags.has(tree.tag[above] ?? '')) return above;
  return -1;
}
