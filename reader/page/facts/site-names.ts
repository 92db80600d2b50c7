import { foldedText } from '../tree/fold-blanks.js';
import { Hint } from '../tree/name-hints.js';
import { afterSubtree, ancestorsOf, type PageTree } from '../tree/page-tree.js';
import { textOf } from '../tree/text-of.js';
import { jsonLdObjects, typesOf } from './json-ld.js';
import { isRecord } from './json-value.js';

const MAX_NAME_CHARS = 40;
/** A link with more words may be a title of this page, under another URL. */
const MAX_SECTION_WORDS = 3;
/** Maximum rows of a link that is a name. */
const MAX_LINK_ROWS = 30;
const siteTypes = /(?:^WebSite|Organization|Corporation)$/;

/**
 * Returns a function that distinguishes names of the site and its sections from page titles. `url` is the URL of the
 * page, '' if unknown.
 */
export function createIsSiteName(tree: PageTree, url: string): (text: string) => boolean {
  let names: Set<string> | undefined;
  return (text) => {
    if (text.length > MAX_NAME_CHARS) return false;
    names ??= new Set([...declaredNames(tree), ...namesOfLinks(tree, url)]);
    return names.has(foldedText(text));
  };
}

function declaredNames(tree: PageTree): string[] {
  const { meta } = tree.head;
  const names: unknown[] = [meta.get('og:site_name'), meta.get('application-name')];
  for (const thing of jsonLdObjects(tree)) {
    if (typesOf(thing).some((type) => siteTypes.test(type))) names.push(thing.name);
    if (isRecord(thing.publisher)) names.push(thing.publisher.name);
  }
  return names.filter((name) => typeof name === 'string').map(foldedText);
}

/** Returns the texts of links to the site and its sections in menus and headers. */
function namesOfLinks(tree: PageTree, url: string): string[] {
  const names: string[] = [];
  if (url === '') return names;
  for (let row = 1; row < tree.tag.length; row++) {
    const href = tree.attributes[row]?.href;
    if (tree.tag[row] !== 'a' || href === undefined || afterSubtree(tree, row) - row > MAX_LINK_ROWS)
      continue;
    const text = textOf(tree, row);
    if (mayBeName(text) && isInMenu(tree, row) && leadsElsewhere(href, url)) names.push(foldedText(text));
  }
  return names;
}

const mayBeName = (text: string): boolean =>
  text.length <= MAX_NAME_CHARS && text.split(/\s+/).length <= MAX_SECTION_WORDS;

function isInMenu(tree: PageTree, link: number): boolean {
  for (const row of ancestorsOf(tree, link)) {
    const tag = tree.tag[row];
    if (tag === 'nav' || tag === 'header') return true;
    if (((tree.hints[row] ?? 0) & (Hint.navigation | Hint.header)) !== 0) return true;
  }
  return false;
}

function leadsElsewhere(href: string, url: string): boolean {
  try {
    const [there, here] = [new URL(href.slice(0, 2_000), url), new URL(url)];
    return there.host !== here.host || placeOf(there) !== placeOf(here);
  } catch {
    return false;
  }
}

const placeOf = ({ pathname }: URL): string => pathname.replace(/\/(?:index\.\w+)?$/, '').toLowerCase();
