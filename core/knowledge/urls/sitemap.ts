import { limits } from '../../schemas/limits.js';
import type { Skipped, SkipReason } from './sitemap-report.js';
import { parseSourceUrl } from './source-url.js';

/** Returns the sum of two summaries, with the first examples of each reason. */
export function addSkipped(skipped: Skipped, more: Skipped): Skipped {
  const sum = [...skipped];
  for (const { reason, count, examples } of more) {
    const at = sum.findIndex((entry) => entry.reason === reason);
    const before = sum[at];
    const entry = {
      reason,
      count: (before?.count ?? 0) + count,
      examples: [...(before?.examples ?? []), ...examples].slice(0, limits.sitemap.examples),
    };
    if (at < 0) sum.push(entry);
    else sum[at] = entry;
  }
  return sum;
}

/** Returns `skipped` with these URLs added. */
export const skipping = (skipped: Skipped, reason: SkipReason, urls: readonly string[]): Skipped =>
  urls.length === 0
    ? skipped
    : addSkipped(skipped, [{ reason, count: urls.length, examples: urls.slice(0, limits.sitemap.examples) }]);

/** The chosen URLs, the number of listed URLs, and the skipped URLs by reason. */
export interface ChosenUrls {
  urls: string[];
  found: number;
  skipped: Skipped;
}

export interface UrlChoice {
  /** Adds a URL as written in the sitemap. */
  add(listed: string): void;
  result(): ChosenUrls;
}

/**
 * Chooses up to `limit` distinct, normalised URLs of this host. Further URLs are skipped with the reason `beyond`.
 */
export function chooseUrls(host: string, limit: number, beyond: SkipReason): UrlChoice {
  const urls = new Set<string>();
  let found = 0;
  let skipped: Skipped = [];
  const skip = (reason: SkipReason, url: string): void => {
    skipped = skipping(skipped, reason, [url.slice(0, limits.url.max)]);
  };
  return {
    add(listed) {
      found += 1;
      const parsed = parseSourceUrl(listed);
      if (!parsed.ok) skip('invalid', listed);
      else if (hostOf(parsed.url) !== host) skip('other_host', parsed.url);
      else if (urls.has(parsed.url)) skip('duplicate', parsed.url);
      else if (urls.size >= limit) skip(beyond, parsed.url);
      else urls.add(parsed.url);
    },
    result: () => ({ urls: [...urls], found, skipped }),
  };
}

const hostOf = (url: string): string => new URL(url).host;
