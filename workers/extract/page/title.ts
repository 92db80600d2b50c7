import { linkedThings } from './json-ld.js';
import { Hint } from './name-hints.js';
import { normaliseText } from './normalise-text.js';
import type { PageTree } from './page-tree.js';
import { textOf } from './text-of.js';

const MAX_TITLE_CHARS = 300;
const MAX_RAW_TITLE_CHARS = 5_000;
/** Ancestors looked at. */
const MAX_STEPS = 100;
const separator = /\s+(?:[|\-–—\\/>»·•:]|::|\|\|)\s+/g;
/** Fewer characters than this before the separator are a site name, not a title. */
const MIN_TITLE_CHARS = 8;

/** The page's title: what it tells social networks, else its title element without the site's name, else its first heading. */
export function pageTitle(tree: PageTree): string | null {
  const { meta } = tree.head;
  const site = clean(meta.get('og:site_name') ?? '');
  const declared = clean(
    meta.get('dc.title') ??
      meta.get('dcterms.title') ??
      meta.get('og:title') ??
      meta.get('twitter:title') ??
      '',
  );
  const element = clean(tree.head.title);
  const headings = pageHeadings(tree);
  const headline = headings.find((heading) => isHeadline(tree, heading));
  if (headline !== undefined) return headline;
  if (declared !== '' && (declared !== site || element === ''))
    return withoutDeclaredSite(declared, site) ?? declared;
  if (element !== '')
    return own(withoutDeclaredSite(element, site) ?? withoutSiteName(element, headings), site, headings);
  return headings[0] ?? null;
}

/** Whether a heading is what the page declares as the headline of its article: search engines may be told something else. */
const isHeadline = (tree: PageTree, heading: string): boolean =>
  linkedThings(tree).some(({ headline }) => typeof headline === 'string' && clean(headline) === heading);

/** The site's name alone is no title of a page that has a heading. */
const own = (title: string, site: string, headings: readonly string[]): string =>
  title === site ? (headings.find((heading) => heading !== site) ?? title) : title;

/** Texts of the page's h1 elements in order; those of the site's header last. */
export function pageHeadings(tree: PageTree): string[] {
  const own: string[] = [];
  const ofSite: string[] = [];
  for (let row = 0; row < tree.tag.length; row++) {
    if (tree.tag[row] !== 'h1') continue;
    const text = clean(textOf(tree, row));
    if (text !== '') (isInSiteHeader(tree, row) ? ofSite : own).push(text);
  }
  return [...own, ...ofSite];
}

function isInSiteHeader(tree: PageTree, heading: number): boolean {
  let isHeader = false;
  for (
    let row = tree.parent[heading] ?? -1, steps = 0;
    row >= 0 && steps < MAX_STEPS;
    row = tree.parent[row] ?? -1, steps++
  ) {
    const tag = tree.tag[row] ?? '';
    if (tag === 'article' || tag === 'main') return false;
    if (tag === 'header' || tag === 'nav' || ((tree.hints[row] ?? 0) & (Hint.header | Hint.navigation)) !== 0)
      isHeader = true;
  }
  return isHeader;
}

/** The part before a separator and the site's declared name, null where the title does not end like this. */
function withoutDeclaredSite(title: string, site: string): string | null {
  if (site === '' || title.length <= site.length || !title.endsWith(site)) return null;
  const before = title.slice(0, title.length - site.length).trimEnd();
  return /[|\-–—·:»]$/.test(before) ? before.slice(0, -1).trimEnd() : null;
}

function withoutSiteName(title: string, headings: readonly string[]): string {
  const marks = [...title.matchAll(separator)];
  const last = marks.at(-1);
  const first = marks[0];
  if (last === undefined || first === undefined) return title;
  const before = title.slice(0, last.index);
  const after = title.slice(last.index + last[0].length);
  const known = headings.find(
    (heading) => heading === before || heading === title.slice(0, first.index) || heading === after,
  );
  if (known !== undefined && (known !== after || headings[0] === after)) return known;
  const isLong = (text: string): boolean => text.length >= MIN_TITLE_CHARS || /[\u2e80-\ud7ff]{4}/.test(text);
  // a colon or a middle dot between two parts belongs to the title, and so does what is longer than the rest
  if (/^\s*[:·•]\s*$/.test(last[0]) || after.length > before.length) return title;
  return isLong(before) ? before : title;
}

const clean = (text: string): string =>
  normaliseText(text.trim().slice(0, MAX_RAW_TITLE_CHARS))
    .replace(/\s+/g, ' ')
    .slice(0, MAX_TITLE_CHARS)
    .trim();
