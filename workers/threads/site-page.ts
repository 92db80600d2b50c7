import { parseSourceUrl } from '../../core/knowledge/urls/source-url.js';
import { pageLinks, readPage } from '../../reader/read-pages.js';
import type { NotFollowed, SitePage, SitePageInput } from './extract-threads.js';
import { extractionOf } from './extraction.js';

const MAX_EXAMPLES = 5;

const isHtml = (contentType: string | null): boolean =>
  !/^\s*text\/(?:plain|markdown|x-markdown)\b/i.test(contentType ?? '');

/** Reads the text and the links of a page. `nofollow`: none of its links is followed. */
export function readSitePage({ knownHash, origin, token, ...input }: SitePageInput): SitePage {
  const page = extractionOf(readPage(input), {}, knownHash);
  if (!isHtml(input.contentType)) return { page, links: [], skipped: [], canonical: null, noindex: false };
  const { links, canonical, noindex, nofollow } = pageLinks({ ...input, token });
  const own = new Set<string>();
  const skipped = new Map<NotFollowed['reason'], Set<string>>();
  for (const link of links) {
    if (!/^https?:/.test(link.url)) continue;
    const parsed = parseSourceUrl(link.url);
    const url = parsed.ok ? parsed.url : link.url;
    const reason = !parsed.ok
      ? 'invalid'
      : new URL(url).origin !== origin
        ? 'host'
        : link.isNofollow || nofollow
          ? 'nofollow'
          : null;
    if (reason === null) own.add(url);
    else skipped.set(reason, (skipped.get(reason) ?? new Set()).add(url));
  }
  const declared = canonical === null ? null : parseSourceUrl(canonical);
  return {
    page,
    links: [...own],
    skipped: [...skipped].map(([reason, urls]) => ({
      reason,
      count: urls.size,
      examples: [...urls].slice(0, MAX_EXAMPLES),
    })),
    canonical: declared?.ok && declared.url !== input.url ? declared.url : null,
    noindex,
  };
}
