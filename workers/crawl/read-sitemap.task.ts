import { createHash } from 'node:crypto';
import { addSkipped, skipping } from '../../core/knowledge/urls/sitemap.js';
import type { SitemapReport, Skipped, SkipReason } from '../../core/knowledge/urls/sitemap-report.js';
import { encodeBody } from '../../core/retrieval/index/segment.js';
import type { JsonObject } from '../../core/schemas/json.js';
import { limits } from '../../core/schemas/limits.js';
import { TaskFailure } from '../../core/tasks/failures.js';
import type { ReadSitemapPayload } from '../../core/tasks/types/read-sitemap.js';
import type { CrawlDeps, CrawlOutcome } from './crawl-page.task.js';
import { failureOf } from './extracted.js';
import { failureOfStatus } from './http-verdict.js';
import type { OutboundResponse } from './outbound-client.js';
import type { TimeBudget } from './time-budget.js';

const accept = 'application/xml, text/xml;q=0.9, text/plain;q=0.8, */*;q=0.5';
/**
 * Time limit for fetching nested sitemaps, so that the attempt returns the pages found so far instead of timing out.
 */
const READING_MS = 60_000;
/** Maximum number of nested sitemaps to list. Higher than the number to read, because many may be broken. */
const MAX_NESTED = 2000;

interface Nested {
  url: string;
  depth: number;
}

/**
 * Reads a sitemap and its nested sitemaps of the same host. The text of the result lists the pages, one URL per line;
 * its metadata contains the skipped URLs by reason. Throws TaskFailure if the sitemap itself cannot be read, or the
 * signal's reason if it aborts.
 */
export async function readSitemap(
  { url, limit }: ReadSitemapPayload,
  deps: CrawlDeps,
  signal: AbortSignal,
): Promise<CrawlOutcome> {
  const { pages, report } = await listPages({ url, limit }, deps, signal, (hop, time) =>
    deps.robots.check(hop, time, deps.threads),
  );
  const text = [...pages].join('\n');
  return {
    kind: 'extracted',
    contentHash: createHash('sha256').update(text).digest('hex'),
    extraction: {
      title: null,
      text,
      chunks: [],
      segment: NOT_INDEXED,
      metadata: report as unknown as JsonObject,
    },
  };
}

/** Lists the pages of a sitemap like `readSitemap`. `beforeHop` is called before each request. */
export async function listPages(
  { url, limit }: ReadSitemapPayload,
  deps: CrawlDeps,
  signal: AbortSignal,
  beforeHop: (url: URL, time: TimeBudget) => Promise<void>,
): Promise<{ pages: ReadonlySet<string>; report: Omit<SitemapReport, 'added'> }> {
  const until = performance.now() + READING_MS;
  const pages = new Set<string>();
  const nested: Nested[] = [];
  let found = 0;
  let skipped: Skipped = [];
  const skip = (reason: SkipReason, urls: string[]): void => {
    skipped = skipping(skipped, reason, urls);
  };
  const addPages = (urls: string[]): void => {
    const others = urls.filter((each) => !pages.has(each));
    const room = limit - pages.size;
    skip(
      'duplicate',
      urls.filter((each) => pages.has(each)),
    );
    skip('over_limit', others.slice(room));
    for (const each of others.slice(0, room)) pages.add(each);
  };
  const read = async ({ bytes }: OutboundResponse, depth: number): Promise<void> => {
    const input = {
      bytes,
      host,
      limit: { pages: limit, sitemaps: Math.max(0, MAX_NESTED - nested.length) },
      maxFound: limits.sitemap.listed - found,
    };
    const listed = await deps.threads.sitemap(input, signal);
    if (!listed.ok) throw failureOf(listed.failure);
    found += listed.pages.found;
    addPages(listed.pages.urls);
    skipped = addSkipped(addSkipped(skipped, listed.pages.skipped), listed.sitemaps.skipped);
    nested.push(...listed.sitemaps.urls.map((each) => ({ url: each, depth: depth + 1 })));
  };

  const first = await fetchSitemap(url, deps, signal, beforeHop);
  const { host } = first.url;
  await read(first, 1);
  const seen = new Set([url, first.url.href]);
  let sitemaps = 1;
  // Reading a nested sitemap may append to the list.
  for (const next of nested) {
    const isTooFar =
      next.depth > limits.sitemap.depth || sitemaps >= limits.sitemap.files || found >= limits.sitemap.listed;
    if (seen.has(next.url)) skip('duplicate', [next.url]);
    else if (pages.size >= limit) skip('over_limit', [next.url]);
    else if (isTooFar || performance.now() > until) skip('not_read', [next.url]);
    else {
      seen.add(next.url);
      try {
        await read(await fetchSitemap(next.url, deps, signal, beforeHop), next.depth);
        sitemaps += 1;
      } catch (error) {
        if (!(error instanceof TaskFailure)) throw error;
        skip('unreadable', [next.url]);
      }
    }
  }
  return { pages, report: { url, host, limit, sitemaps, found, skipped } };
}

/** Empty segment, because a list of URLs needs no index. */
export const NOT_INDEXED = Buffer.from(encodeBody('', [])).toString('base64');

async function fetchSitemap(
  url: string,
  { client, visit, settings, now }: CrawlDeps,
  signal: AbortSignal,
  beforeHop: (url: URL, time: TimeBudget) => Promise<void>,
): Promise<OutboundResponse> {
  return client.fetch({
    maxBytes: settings.maxBytes,
    overflow: 'fail',
    url,
    accept,
    maxRedirects: settings.maxRedirects,
    visit,
    beforeHop,
    admit(head) {
      const failure = failureOfStatus(head.status, head.header('retry-after'), now());
      if (failure) throw failure;
      return true;
    },
    signal,
  });
}
