import { type Static, Type } from '@sinclair/typebox';
import { limits } from '../schemas/limits.js';
import { parseSourceUrl } from './source-url.js';

/** Why an address of a sitemap gets no task. */
const skipReasons = {
  other_host: 'On another host than the sitemap',
  duplicate: 'Listed before',
  invalid: 'Not the address of a public page',
  over_limit: 'Beyond the number of pages that was asked for',
  not_in_plan: 'A video, which the plan does not include',
  storage_full: 'The storage allowance of the workspace was used up',
  unreadable: 'A sitemap within this one that could not be read',
  not_read: 'A sitemap nested too deeply, or beyond the limit',
} as const;

export type SkipReason = keyof typeof skipReasons;

const skipped = Type.Object({
  reason: Type.Unsafe<SkipReason>({ type: 'string', enum: Object.keys(skipReasons) }),
  count: Type.Integer({ minimum: 1 }),
  examples: Type.Array(Type.String(), {
    maxItems: limits.sitemap.examples,
    description: 'The first ones',
    examples: [['https://shop.acme.com/']],
  }),
});

/** What became of the addresses in a sitemap. */
export const sitemapReportSchema = Type.Object(
  {
    host: Type.String({ description: 'Only pages of this host are taken', examples: ['docs.acme.com'] }),
    url: Type.String({ description: 'The sitemap', examples: ['https://docs.acme.com/sitemap.xml'] }),
    limit: Type.Integer({ minimum: 1, description: 'Pages that were asked for, at most', examples: [500] }),
    sitemaps: Type.Integer({ minimum: 0, description: 'Sitemaps that were read, nested ones included' }),
    found: Type.Integer({
      minimum: 0,
      description: 'Pages listed, duplicates included',
      examples: [14],
    }),
    added: Type.Integer({ minimum: 0, description: 'Pages that got a task', examples: [12] }),
    skipped: Type.Array(skipped, { description: 'Entries that got no task, and why' }),
  },
  { $id: 'SitemapReport' },
);
export type SitemapReport = Static<typeof sitemapReportSchema>;
export type Skipped = SitemapReport['skipped'];

/** The same with so many more of one reason. Pure. */
export function skipping(skipped: Skipped, reason: SkipReason, urls: readonly string[]): Skipped {
  if (urls.length === 0) return skipped;
  const before = skipped.find((entry) => entry.reason === reason);
  const examples = [...(before?.examples ?? []), ...urls].slice(0, limits.sitemap.examples);
  const entry = { reason, count: (before?.count ?? 0) + urls.length, examples };
  return before ? skipped.map((one) => (one === before ? entry : one)) : [...skipped, entry];
}

/** Chooses the pages of a sitemap, one listed address after the other. */
export interface PageChoice {
  readonly host: string;
  /** A page as the sitemap names it. */
  add(listed: string): void;
  skip(reason: SkipReason, url: string): void;
  readonly pages: readonly string[];
  readonly found: number;
  readonly skipped: Skipped;
}

/** Pages of the host of `sitemapUrl`, each once, at most `limit` of them. */
export function choosePages(sitemapUrl: string, limit: number): PageChoice {
  const host = hostOf(sitemapUrl);
  const pages = new Set<string>();
  let found = 0;
  let skipped: Skipped = [];
  const skip = (reason: SkipReason, url: string): void => {
    skipped = skipping(skipped, reason, [url.slice(0, limits.url.max)]);
  };
  return {
    host,
    add(listed) {
      found += 1;
      const parsed = parseSourceUrl(listed);
      if (!parsed.ok) skip('invalid', listed);
      else if (hostOf(parsed.url) !== host) skip('other_host', parsed.url);
      else if (pages.has(parsed.url)) skip('duplicate', parsed.url);
      else if (pages.size >= limit) skip('over_limit', parsed.url);
      else pages.add(parsed.url);
    },
    skip,
    get pages() {
      return [...pages];
    },
    get found() {
      return found;
    },
    get skipped() {
      return skipped;
    },
  };
}

const hostOf = (url: string): string => new URL(url).host;
