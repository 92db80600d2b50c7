import { foldBlanks } from '../tree/fold-blanks.js';
import type { PageTree } from '../tree/page-tree.js';
import { jsonLdObjects, typesOf } from './json-ld.js';
import { isRecord } from './json-value.js';

const MAX_BYLINE_CHARS = 120;

/** Returns the BCP 47 tag from html lang, content-language or og:locale. */
export function pageLanguage(tree: PageTree): string | null {
  const { meta, htmlLanguage } = tree.head;
  for (const stated of [
    htmlLanguage,
    bodyLanguage(tree),
    meta.get('content-language'),
    meta.get('language'),
    meta.get('og:locale'),
  ]) {
    const tag = /^\s*([a-z]{2,3}(?:[-_][a-z0-9]{2,8}){0,3})(?=$|[\s,;])/i.exec(stated ?? '')?.[1];
    if (tag !== undefined) return tag.replace(/_/g, '-');
  }
  return null;
}

function bodyLanguage(tree: PageTree): string | undefined {
  const body = tree.tag.indexOf('body');
  return body < 0 ? undefined : tree.attributes[body]?.lang;
}

/** Returns the author from the page's metadata. */
export function pageByline(tree: PageTree): string | null {
  const { meta } = tree.head;
  for (const stated of [
    ...jsonLdAuthors(tree),
    meta.get('author'),
    meta.get('article:author'),
    meta.get('dc.creator'),
    meta.get('parsely-author'),
  ]) {
    const name = foldBlanks(stated ?? '').trim();
    if (name !== '' && name.length <= MAX_BYLINE_CHARS && !/^https?:/i.test(name)) return name;
  }
  return null;
}

function jsonLdAuthors(tree: PageTree): string[] {
  const names: string[] = [];
  for (const thing of jsonLdObjects(tree)) {
    if (!typesOf(thing).some((type) => /Article|Posting|Report/.test(type))) continue;
    const authors = Array.isArray(thing.author) ? thing.author : [thing.author];
    const own = authors
      .map((author) => (isRecord(author) ? author.name : author))
      .filter((name) => typeof name === 'string');
    if (own.length > 0) names.push(own.slice(0, 5).join(', '));
  }
  return names;
}
