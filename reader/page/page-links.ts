import { Parser } from 'htmlparser2';
import { decodeBody } from '../charset/decode-body.js';
import type { PageInput } from '../reading.js';

/** What a page tells crawlers. URLs are absolute and otherwise as written. */
export interface PageLinks {
  links: { url: string; isNofollow: boolean }[];
  canonical: string | null;
  noindex: boolean;
  nofollow: boolean;
}

const MAX_LINKS = 2000;
const MAX_URL = 2048;

/** Parts whose links browsers do not offer. */
const inert = new Set(['template', 'svg', 'math', 'textarea', 'title']);

const words = (text: string | undefined): string[] => (text ?? '').toLowerCase().split(/[\s,]+/);

/**
 * Reads links, canonical URL and robots directives of an HTML page. `token` is the product token of the crawler, to
 * which directives may be addressed. The first 2,000 links count.
 */
export function pageLinks({ bytes, contentType, url, token }: PageInput & { token: string }): PageLinks {
  const { text } = decodeBody(bytes, contentType, true);
  const robotsNames = new Set(['robots', token.toLowerCase()]);
  const hrefs: { href: string; isNofollow: boolean }[] = [];
  const directives = new Set<string>();
  let base: string | undefined;
  let canonical: string | undefined;
  let inertDepth = 0;
  const parser = new Parser({
    onopentag(name, { href, rel, content, name: metaName }) {
      if (inert.has(name)) inertDepth += 1;
      if (inertDepth > 0) return;
      if (name === 'base') base ??= href;
      if (name === 'meta' && robotsNames.has(metaName?.trim().toLowerCase() ?? ''))
        for (const word of words(content)) directives.add(word);
      if (href === undefined || href.length > MAX_URL) return;
      if (name === 'link' && words(rel).includes('canonical')) canonical ??= href;
      if ((name === 'a' || name === 'area') && hrefs.length < MAX_LINKS)
        hrefs.push({ href, isNofollow: words(rel).includes('nofollow') });
    },
    onclosetag(name) {
      if (inert.has(name)) inertDepth = Math.max(0, inertDepth - 1);
    },
  });
  parser.end(text);
  const from = absolute(base, url) ?? url;
  return {
    links: hrefs.flatMap(({ href, isNofollow }) => {
      const target = absolute(href, from);
      return target === null ? [] : [{ url: target, isNofollow }];
    }),
    canonical: absolute(canonical, from),
    noindex: directives.has('noindex') || directives.has('none'),
    nofollow: directives.has('nofollow') || directives.has('none'),
  };
}

const absolute = (href: string | undefined, base: string): string | null =>
  href !== undefined && URL.canParse(href.trim(), base) ? new URL(href.trim(), base).href : null;
