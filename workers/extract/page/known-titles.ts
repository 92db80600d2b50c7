import { foldBlanks } from './fold-blanks.js';
import { linkedThings } from './json-ld.js';
import type { PageTree } from './page-tree.js';

/** Fewer characters than this are found in a title by chance. */
const MIN_HEADING_CHARS = 4;

const known = new WeakMap<PageTree, readonly string[]>();

/** What the page calls itself: its title element, what it tells social networks, and its declared headlines. Folded. */
export function knownTitles(tree: PageTree): readonly string[] {
  const before = known.get(tree);
  if (before !== undefined) return before;
  const { meta, title } = tree.head;
  const headlines = linkedThings(tree).map((thing) => thing.headline);
  const stated = [title, meta.get('og:title'), meta.get('twitter:title'), ...headlines];
  const titles = stated
    .filter((text) => typeof text === 'string')
    .map((text) => foldBlanks(text).trim())
    .filter((text) => text !== '');
  const distinct = [...new Set(titles)];
  known.set(tree, distinct);
  return distinct;
}

/**
 * Whether a heading repeats a title. The site's name stands at a title's end; the page's own heading opens it
 * or fills most of it.
 */
export function repeatsTitle(heading: string, title: string): boolean {
  if (heading.length < MIN_HEADING_CHARS || !title.includes(heading)) return false;
  return title.startsWith(heading) || heading.length > title.length / 2;
}
