import { closest } from '../content/landmarks.js';
import { isArticlePage } from '../content/page-kind.js';
import { slug } from '../content/slug.js';
import { endHeadings } from '../fixed-phrases.js';
import { normaliseText } from '../normalise-text.js';
import { Hint } from '../tree/name-hints.js';
import { ancestorsOf, type PageTree } from '../tree/page-tree.js';
import { textOf } from '../tree/text-of.js';
import { jsonLdObjects } from './json-ld.js';
import { createIsSiteName } from './site-names.js';

const MAX_TITLE_CHARS = 300;
const MAX_RAW_TITLE_CHARS = 5_000;
const separator = /\s+(?:[|\-–—\\/>»·•:]|::|\|\|)\s+/g;
/** Separators that are part of a title. */
const joint = /^\s*[:·•]\s*$/;
/** If the part before the separator is shorter, it is the name of the site. */
const MIN_TITLE_CHARS = 8;

/**
 * Returns the title for social networks, or else the title element without the site's name, or else the first heading.
 * The name of the site or a section is used only if there is nothing else. `url` is the page's URL.
 */
export function pageTitle(tree: PageTree, url = ''): string | null {
  const isName = createIsSiteName(tree, url);
  const headings = pageHeadings(tree);
  const title = withoutSections(statedTitle(tree, headings), isName);
  if (title === null || !isNameAlone(title, isName)) return title;
  const others = [titleOfElement(tree, headings), ...headings, onlyHeading(tree, url)];
  return others.find((other) => other !== '' && !isNameAlone(other, isName)) ?? title;
}

/** Returns whether a title consists only of names, such as "News" or "News - Daily". */
function isNameAlone(title: string, isName: (text: string) => boolean): boolean {
  const parts = title.split(separator);
  return parts.every((part, at) => isName(part) || (at > 0 && at === parts.length - 1));
}

/** Removes section names from the end of a title. */
function withoutSections(title: string | null, isName: (text: string) => boolean): string | null {
  const mark = title === null ? undefined : [...title.matchAll(separator)].at(-1);
  if (
    title === null ||
    mark === undefined ||
    joint.test(mark[0]) ||
    !isName(title.slice(mark.index + mark[0].length))
  )
    return title;
  const before = title.slice(0, mark.index);
  return isName(before) ? title : withoutSections(before, isName);
}

/**
 * Returns the only h2 in the content of an article, or of a page whose URL repeats the heading; '' if there is none.
 */
function onlyHeading(tree: PageTree, url: string): string {
  const found: string[] = [];
  for (let row = 0; row < tree.tag.length; row++) {
    if (tree.tag[row] !== 'h2' || closest(tree, row, contentTags) < 0) continue;
    const text = clean(textOf(tree, row));
    if (text !== '' && !endHeadings.test(text)) found.push(text);
  }
  const [heading = '', second] = found;
  const isIts =
    isArticlePage(tree) || (slug(heading).length >= MIN_TITLE_CHARS && slug(url).includes(slug(heading)));
  return second === undefined && isIts ? heading : '';
}

const contentTags: ReadonlySet<string> = new Set(['article', 'main']);

function statedTitle(tree: PageTree, headings: readonly string[]): string | null {
  const { meta } = tree.head;
  const site = siteOf(tree);
  const declared = clean(
    meta.get('dc.title') ??
      meta.get('dcterms.title') ??
      meta.get('og:title') ??
      meta.get('twitter:title') ??
      '',
  );
  const element = clean(tree.head.title);
  const headline = headings.find((heading) => isHeadline(tree, heading));
  if (headline !== undefined) return headline;
  if (declared !== '' && (declared !== site || element === ''))
    return withoutDeclaredSite(declared, site) ?? declared;
  if (element !== '') return own(titleOfElement(tree, headings), site, headings);
  return headings[0] ?? null;
}

/** Returns the title element without the site's name. */
function titleOfElement(tree: PageTree, headings: readonly string[]): string {
  const element = clean(tree.head.title);
  return withoutDeclaredSite(element, siteOf(tree)) ?? withoutSiteName(element, headings);
}

const siteOf = (tree: PageTree): string => clean(tree.head.meta.get('og:site_name') ?? '');

/** Returns whether a heading is the declared headline. The title element may be written for search engines. */
const isHeadline = (tree: PageTree, heading: string): boolean =>
  jsonLdObjects(tree).some(({ headline }) => typeof headline === 'string' && clean(headline) === heading);

/** Replaces a title that is only the site's name with a heading, if the page has one. */
const own = (title: string, site: string, headings: readonly string[]): string =>
  title === site ? (headings.find((heading) => heading !== site) ?? title) : title;

/** Returns the texts of the h1 elements in order, those in the site's header last. */
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
  for (const row of ancestorsOf(tree, heading)) {
    const tag = tree.tag[row] ?? '';
    if (tag === 'article' || tag === 'main') return false;
    if (tag === 'header' || tag === 'nav' || ((tree.hints[row] ?? 0) & (Hint.header | Hint.navigation)) !== 0)
      isHeader = true;
  }
  return isHeader;
}

/** Returns the part before a separator and the site's declared name; null if the title does not end like this. */
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
  // Parts that are joined by a colon or middle dot, or are longer than the rest, belong to the title.
  if (joint.test(last[0]) || after.length > before.length) return title;
  return isLong(before) ? before : title;
}

const clean = (text: string): string =>
  normaliseText(text.trim().slice(0, MAX_RAW_TITLE_CHARS))
    .replace(/\s+/g, ' ')
    .slice(0, MAX_TITLE_CHARS)
    .trim();
