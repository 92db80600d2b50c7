import { jsonLdObjects } from '../facts/json-ld.js';
import { foldBlanks } from '../tree/fold-blanks.js';
import type { PageTree } from '../tree/page-tree.js';

/** A shorter heading may be part of a title by chance. */
const MIN_HEADING_CHARS = 4;

const known = new WeakMap<PageTree, readonly string[]>();

/** Returns the folded texts of the title element, titles for social networks, and declared headlines. */
export function knownTitles(tree: PageTree): readonly string[] {
  const before = known.get(tree);
  if (before !== undefined) return before;
  const { meta, title } = tree.head;
  const headlines = jsonLdObjects(tree).map((thing) => thing.headline);
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
 * Returns whether a heading repeats a title. Sites append their name to a title; the page's own heading is at its start
 * or fills most of it.
 */
export function repeatsTitle(heading: string, title: string): boolean {
  if (heading.length < MIN_HEADING_CHARS || !title.includes(heading)) return false;
  return title.startsWith(heading) || heading.length > title.length / 2;
}
