import { type ChosenUrls, chooseUrls } from '../../core/knowledge/urls/sitemap.js';
import { type Failure, TaskFailure } from '../../core/tasks/failures.js';
import { sitemapEntries } from './sitemap-entries.js';

/** A sitemap, and limits for the URLs to choose from it. */
export interface SitemapInput {
  bytes: Uint8Array;
  /** Only URLs of this host are chosen. */
  host: string;
  /** Maximum number of URLs to choose. */
  limit: { pages: number; sitemaps: number };
  /** Maximum number of listed pages to examine. Further pages are ignored. */
  maxFound: number;
}

/** Expected failures are values, because an exception would lose its code when it leaves the thread. */
export type SitemapResult =
  | { ok: true; pages: ChosenUrls; sitemaps: ChosenUrls }
  | { ok: false; failure: Failure };

/** Reads one sitemap and chooses from its pages and nested sitemaps. */
export function listSitemap({ bytes, host, limit, maxFound }: SitemapInput): SitemapResult {
  const pages = chooseUrls(host, limit.pages, 'over_limit');
  const sitemaps = chooseUrls(host, limit.sitemaps, 'not_read');
  let found = 0;
  try {
    for (const { kind, url } of sitemapEntries(bytes)) {
      if (kind === 'sitemap') sitemaps.add(url);
      else if (++found <= maxFound) pages.add(url);
    }
  } catch (error) {
    if (error instanceof TaskFailure) return { ok: false, failure: error.failure };
    throw error;
  }
  return { ok: true, pages: pages.result(), sitemaps: sitemaps.result() };
}
