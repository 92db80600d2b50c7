import { type Static, Type } from '@sinclair/typebox';
import { oneOf } from '../../schemas/shapes.js';
import { failureCodes } from '../failures.js';
import { shownPage } from '../shown-url.js';
import { crawlPage } from './crawl-page.js';

/** The parts of a robots.txt that a reading of a site needs. */
export const siteRobotsSchema = Type.Object({
  origin: Type.String(),
  /** The rules for our crawler, as a robots.txt. */
  rules: Type.String(),
  /** Requested time between two fetches, in milliseconds. */
  crawlDelayMs: Type.Union([Type.Number({ minimum: 0 }), Type.Null()]),
  /** URLs as written. */
  sitemaps: Type.Array(Type.String()),
});
export type SiteRobots = Static<typeof siteRobotsSchema>;

const payload = Type.Object({
  ...Type.Pick(crawlPage.payload, ['url', 'known', 'language']).properties,
  /** Id of the page in the site's frontier. */
  pageId: Type.String(),
  /** The origin that must not be left; null for the address of a site that has not been read yet. */
  origin: Type.Union([Type.String(), Type.Null()]),
  /** Minimum time between two fetches from the host, in milliseconds. */
  delayMs: Type.Integer({ minimum: 0 }),
  /** Maximum number of pages to list from the sitemaps of the site; 0 reads none. */
  listed: Type.Integer({ minimum: 0 }),
  /** Omitted until this reading has read it. Added to the message: the row of the reading stores it. */
  robots: Type.Optional(siteRobotsSchema),
});
export type ReadSitePagePayload = Static<typeof payload>;

/**
 * What the fetch of a page of a site has found, beside its text. `robots`, `type`, `host` and `noindex`: the page is
 * not stored. `failed`: its text could not be extracted. `error`: it could not be fetched; only if the visit reports a
 * robots.txt.
 */
export const siteVisitSchema = Type.Object({
  result: oneOf(['text', 'unchanged', 'robots', 'type', 'host', 'noindex', 'failed', 'error']),
  failure: Type.Optional(
    Type.Object({
      code: oneOf(failureCodes),
      message: Type.String(),
      verdict: Type.Optional(oneOf(['retry', 'give-up'])),
      retryAfterMs: Type.Optional(Type.Number({ minimum: 0 })),
    }),
  ),
  /** URL after redirects. */
  url: Type.String(),
  /** The normalised canonical URL, if it is another one. */
  canonical: Type.Optional(Type.String()),
  /** Distinct, normalised URLs of the site. */
  links: Type.Array(Type.String()),
  /** Links that are not followed. */
  skipped: Type.Array(
    Type.Object({
      reason: oneOf(['host', 'invalid', 'nofollow']),
      count: Type.Integer({ minimum: 1 }),
      examples: Type.Array(Type.String()),
    }),
  ),
  /** Pages of the site's sitemaps. */
  listed: Type.Optional(Type.Array(Type.String())),
  /** Set if this visit has read it. */
  robots: Type.Optional(siteRobotsSchema),
});
export type SiteVisit = Static<typeof siteVisitSchema>;

/** Fetches one page of a whole site, and reports its links. Never leaves the site's origin. */
export const readSitePage = {
  payload,
  attempts: 1,
  timeout: 2,
  slots: 1,
  target: ({ url }: ReadSitePagePayload) => shownPage(url, '?[redacted]'),
  counter: {
    name: 'read_site_pages_total',
    help: 'Attempts to fetch a page of a whole site, by outcome: succeeded, or failure code',
  },
  noRetry: 'Pages of a site are read again when the site is refreshed.',
};
