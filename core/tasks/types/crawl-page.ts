import { type Static, Type } from '@sinclair/typebox';
import { shownPage } from '../shown-url.js';

const payload = Type.Object({
  /** Normalised URL. */
  url: Type.String(),
  /**
   * Validators of the stored content with their URL, for conditional requests, and its hash: the worker does not
   * return a text with the same hash. APIs of an earlier version omit this field.
   */
  known: Type.Optional(
    Type.Object({
      contentHash: Type.Optional(Type.String()),
      url: Type.Optional(Type.String()),
      etag: Type.Optional(Type.String()),
      lastModified: Type.Optional(Type.String()),
    }),
  ),
  /** True if the text is stored even if it looks suspect. APIs of an earlier version omit this field. */
  accept: Type.Optional(Type.Boolean()),
  /** Locale of the agent, in which scanned pages of a PDF are recognised. */
  language: Type.Optional(Type.String()),
});
export type CrawlPagePayload = Static<typeof payload>;

/** Fetches one page and extracts its text. */
export const crawlPage = {
  payload,
  attempts: 1,
  timeout: 1,
  slots: 1,
  target: ({ url }: CrawlPagePayload) => shownPage(url, '?[redacted]'),
  counter: {
    name: 'crawl_pages_total',
    help: 'Attempts to fetch a page, by outcome: succeeded, unchanged (same page or same text), or failure code',
  },
  noRetry: null,
};
