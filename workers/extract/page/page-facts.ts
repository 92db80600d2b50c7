import type { PageTree } from './html-tree.js';

const MAX_BYLINE_CHARS = 120;

/** BCP 47 tag that the page states: html lang, content-language, og:locale. */
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

/** Who wrote it, when the page says so in its metadata. */
export function pageByline(tree: PageTree): string | null {
  const { meta } = tree.head;
  for (const stated of [
    ...jsonLdAuthors(tree.head.jsonLd),
    meta.get('author'),
    meta.get('article:author'),
    meta.get('dc.creator'),
    meta.get('parsely-author'),
  ]) {
    const name = (stated ?? '').replace(/\s+/g, ' ').trim();
    if (name !== '' && name.length <= MAX_BYLINE_CHARS && !/^https?:/i.test(name)) return name;
  }
  return null;
}

function jsonLdAuthors(blocks: readonly string[]): string[] {
  const names: string[] = [];
  for (const block of blocks) {
    const data = parseJson(block);
    const graph =
      isRecord(data) && Array.isArray(data['@graph']) ? data['@graph'] : Array.isArray(data) ? data : [data];
    for (const thing of graph) {
      if (!isRecord(thing) || !/Article|Posting|Report/.test(String(thing['@type']))) continue;
      const authors = Array.isArray(thing.author) ? thing.author : [thing.author];
      const own = authors
        .map((author) => (isRecord(author) ? author.name : author))
        .filter((name) => typeof name === 'string');
      if (own.length > 0) names.push(own.slice(0, 5).join(', '));
    }
  }
  return names;
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
