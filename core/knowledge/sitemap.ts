import { type Static, Type } from '@sinclair/typebox';
import { limits } from '../schemas/limits.js';
import { parseSourceUrl } from './source-url.js';

/** Why a URL of a sitemap gets no task. */
const skipReasons = {
  other_host: 'On a different host than the sitemap',
  duplicate: 'Listed more than once',
  invalid: 'Not a valid public URL',
  over_limit: 'Beyond the requested number of pages',
  not_in_plan: 'A video, and the plan does not include videos',
  storage_full: 'The workspace had no storage left',
  unreadable: 'A nested sitemap that could not be read',
  not_read: 'A nested sitemap that was not read: too deep, or beyond the limit',
} as const;

export type SkipReason = keyof typeof skipReasons;

const skipped = Type.Object({
  reason: Type.Unsafe<SkipReason>({ type: 'string', enum: Object.keys(skipReasons) }),
  count: Type.Integer({ minimum: 1 }),
  examples: Type.Array(Type.String(), {
    maxItems: limits.sitemap.examples,
    description: 'The first URLs skipped for this reason',
    examples: [['https://shop.acme.com/']],
  }),
});

/** Summary of the URLs in a sitemap. */
export const sitemapReportSchema = Type.Object(
  {
    host: Type.String({ description: 'Only pages of this host are added', examples: ['docs.acme.com'] }),
    url: Type.String({ description: 'The sitemap', examples: ['https://docs.acme.com/sitemap.xml'] }),
    limit: Type.Integer({ minimum: 1, description: 'Requested maximum number of pages', examples: [500] }),
    sitemaps: Type.Integer({ minimum: 0, description: 'Sitemaps read, including nested ones' }),
    found: Type.Integer({
      minimum: 0,
      description: 'Pages listed, including duplicates',
      examples: [14],
    }),
    added: Type.Integer({ minimum: 0, description: 'Pages queued for crawling', examples: [12] }),
    skipped: Type.Array(skipped, { description: 'Skipped entries by reason' }),
  },
  { $id: 'SitemapReport' },
);
export type SitemapReport = Static<typeof sitemapReportSchema>;
export type Skipped = SitemapReport['skipped'];

/** Adds two summaries; keeps the first examples of each reason. */
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

/** The chosen URLs, the number of listed ones, and why the others were skipped. */
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

/** Chooses distinct URLs of this host, normalised, up to `limit`. Further ones are skipped with the reason `beyond`. */
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
