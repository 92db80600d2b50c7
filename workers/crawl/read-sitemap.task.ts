import { createHash } from 'node:crypto';
import { setImmediate as othersFirst } from 'node:timers/promises';
import { choosePages, type PageChoice, type SitemapReport } from '../../core/knowledge/sitemap.js';
import { parseSourceUrl } from '../../core/knowledge/source-url.js';
import { encodeBody } from '../../core/retrieval/index/segment.js';
import type { JsonObject } from '../../core/schemas/json.js';
import { limits } from '../../core/schemas/limits.js';
import { TaskFailure } from '../../core/tasks/failures.js';
import type { ReadSitemapPayload } from '../../core/tasks/task-types.js';
import type { CrawlDeps, CrawlOutcome } from './crawl-page.task.js';
import { failureOfStatus } from './http-verdict.js';
import type { OutboundResponse } from './outbound-client.js';
import { readBody } from './response-body.js';
import { sitemapEntries } from './sitemap-entries.js';

const accept = 'application/xml, text/xml;q=0.9, text/plain;q=0.8, */*;q=0.5';
/** No nested sitemap is begun later: what was found by then is worth more than an attempt that fails. */
const READING_MS = 60_000;
/** Then the others on this thread have their turn: a list may name a hundred thousand. */
const LOOKS_AT_A_TIME = 500;

type SitemapDeps = Omit<CrawlDeps, 'threads'>;

interface Listed {
  url: string;
  depth: number;
}

/**
 * Reads a sitemap, and those nested in it, of the same host. The pages are the text of the result, one URL in
 * a line; what was skipped and why is its metadata. Throws TaskFailure when the sitemap itself cannot be
 * read, or the reason of the signal when that is aborted.
 */
export async function readSitemap(
  { url, limit }: ReadSitemapPayload,
  deps: SitemapDeps,
  signal: AbortSignal,
): Promise<CrawlOutcome> {
  const until = performance.now() + READING_MS;
  const first = await fetchSitemap(url, deps, signal);
  const choice = choosePages(first.url.href, limit);
  const line = await readInto(choice, first, 1);
  const seen = new Set([url, first.url.href]);
  let sitemaps = 1;
  let looked = 0;
  // It grows meanwhile.
  for (const next of line) {
    looked += 1;
    if (looked % LOOKS_AT_A_TIME === 0) {
      await othersFirst();
      signal.throwIfAborted();
    }
    const parsed = parseSourceUrl(next.url);
    if (!parsed.ok) choice.skip('invalid', next.url);
    else if (new URL(parsed.url).host !== choice.host) choice.skip('other_host', parsed.url);
    else if (seen.has(parsed.url)) choice.skip('duplicate', parsed.url);
    else if (choice.pages.length >= limit) choice.skip('over_limit', parsed.url);
    else if (isTooFar(next.depth, sitemaps, choice) || performance.now() > until)
      choice.skip('not_read', parsed.url);
    else {
      seen.add(parsed.url);
      const room = limits.sitemap.listed - line.length;
      const nested = await orSkipped(parsed.url, choice, async () =>
        readInto(choice, await fetchSitemap(parsed.url, deps, signal), next.depth, room),
      );
      if (nested) line.push(...nested);
      if (nested) sitemaps += 1;
    }
  }
  const { host, pages, found, skipped } = choice;
  const report: Omit<SitemapReport, 'added'> = { url, host, limit, sitemaps, found, skipped };
  const text = pages.join('\n');
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

/** A list of addresses is no knowledge. */
const NOT_INDEXED = Buffer.from(encodeBody('', [])).toString('base64');

const isTooFar = (depth: number, sitemaps: number, { found }: PageChoice): boolean =>
  depth > limits.sitemap.depth || sitemaps >= limits.sitemap.files || found >= limits.sitemap.listed;

/** Takes the pages; resolves to the sitemaps that it names. */
async function readInto(
  choice: PageChoice,
  { bytes }: OutboundResponse,
  depth: number,
  room: number = limits.sitemap.listed,
): Promise<Listed[]> {
  const nested: Listed[] = [];
  for await (const { kind, url } of sitemapEntries(bytes)) {
    if (kind === 'sitemap' && nested.length < room) nested.push({ url, depth: depth + 1 });
    else if (kind === 'page' && choice.found < limits.sitemap.listed) choice.add(url);
  }
  return nested;
}

/** What `read` finds in a nested sitemap; null when that cannot be read: the others go on. */
async function orSkipped(
  url: string,
  choice: PageChoice,
  read: () => Promise<Listed[]>,
): Promise<Listed[] | null> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof TaskFailure)) throw error;
    choice.skip('unreadable', url);
    return null;
  }
}

async function fetchSitemap(
  url: string,
  { client, robots, visit, settings, now }: SitemapDeps,
  signal: AbortSignal,
): Promise<OutboundResponse> {
  const body = { maxBytes: settings.maxBytes, overflow: 'fail' } as const;
  const response = await client.fetch({
    ...body,
    url,
    accept,
    maxRedirects: settings.maxRedirects,
    visit,
    beforeHop: robots.check,
    admit(head) {
      const failure = failureOfStatus(head.status, head.header('retry-after'), now());
      if (failure) throw failure;
      return true;
    },
    signal,
  });
  const { bytes } = response;
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return isGzip ? { ...response, bytes: await readBody(inOnePiece(bytes), 'gzip', body, signal) } : response;
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
