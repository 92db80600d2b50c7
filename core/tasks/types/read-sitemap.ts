import { type Static, Type } from '@sinclair/typebox';
import { shownPage } from '../shown-url.js';

const payload = Type.Object({
  /** Normalised URL. */
  url: Type.String(),
  /** Maximum number of pages. */
  limit: Type.Integer({ minimum: 1 }),
});
export type ReadSitemapPayload = Static<typeof payload>;

/** Reads a sitemap and its nested sitemaps. The result is a text with one URL per line. */
export const readSitemap = {
  payload,
  attempts: 1,
  timeout: 1,
  slots: 1,
  target: ({ url }: ReadSitemapPayload) => shownPage(url, '?[redacted]'),
  counter: {
    name: 'read_sitemaps_total',
    help: 'Attempts to read a sitemap, by outcome: succeeded, or failure code',
  },
  noRetry: null,
};
