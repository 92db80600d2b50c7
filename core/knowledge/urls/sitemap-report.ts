import { type Static, Type } from '@sinclair/typebox';
import { limits } from '../../schemas/limits.js';

/*
 * Separate from sitemap.ts, because page threads do not need schemas: loading TypeBox would take a third of their
 * start time.
 */

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
