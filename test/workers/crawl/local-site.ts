import type { Test } from 'tap';
import type { Clock } from '../../../core/ports/clock.port.js';
import { silentLog } from '../../../core/ports/log.port.js';
import { type Failure, TaskFailure } from '../../../core/tasks/failures.js';
import type { CrawlPagePayload } from '../../../core/tasks/types/crawl-page.js';
import type { Extraction } from '../../../core/tasks/wire.js';
import type { FileInput, PageInput, TranscriptInput } from '../../../reader/reading.js';
import { type CrawlDeps, crawlPage } from '../../../workers/crawl/crawl-page.task.js';
import type { CrawlSettings } from '../../../workers/crawl/crawl-settings.js';
import { type Crawler, createCrawler } from '../../../workers/crawl/crawler.js';
import type { Network } from '../../../workers/crawl/network.js';
import type { ExtractThreads } from '../../../workers/threads/extract-threads.js';
import { extractFile } from '../../../workers/threads/file.thread.js';
import {
  extractPage,
  extractTranscript,
  findCaptionTracks,
  isAllowed,
  listSitemap,
  readSitePage,
  refreshTarget,
  robotsFacts,
} from '../../../workers/threads/page.thread.js';
import { type ScriptedSite, scriptedSite } from '../../support/scripted-site.js';
import { someone } from '../../support/someone.js';

const extraction = (text: string, title: string | null): Extraction => ({
  title,
  text,
  chunks: [],
  metadata: { words: 1 },
});
const decode = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);

/** Transfers the bytes like a thread does: the caller loses them. */
const moved = <I extends { bytes: Uint8Array }>(input: I): I =>
  structuredClone(input, { transfer: [input.bytes.buffer as ArrayBuffer] });

/** Does the work of threads in this thread. */
export const noThreads: ExtractThreads = {
  page: async (input: PageInput) => extractPage(moved(input)),
  file: (input: FileInput) => extractFile(moved(input)),
  refreshTarget: async (input) => refreshTarget(moved(input)),
  captionTracks: async (input) => findCaptionTracks(moved(input)),
  transcript: async (input: TranscriptInput) => extractTranscript(moved(input)),
  sitemap: async (input) => listSitemap(moved(input)),
  robots: async (input) => isAllowed(moved(input)),
  robotsFacts: async (input) => robotsFacts(moved(input)),
  sitePage: async (input) => readSitePage(moved(input)),
};

/** Threads that take the bytes and return them as text. */
export const echoThreads = (more: Partial<ExtractThreads> = {}): ExtractThreads => {
  const echo = (prefix: string, given: Uint8Array) => {
    const text = decode(moved({ bytes: given }).bytes);
    return {
      ok: true,
      contentHash: `hash of ${text}`,
      extraction: extraction(prefix + text, text === '' ? null : 'Title'),
    } as const;
  };
  return {
    ...noThreads,
    page: async ({ bytes, contentType }) => echo(`page ${contentType}: `, bytes),
    file: async ({ bytes, fileName }) => echo(`file ${fileName}: `, bytes),
    captionTracks: async ({ bytes }) => {
      const text = decode(moved({ bytes }).bytes);
      return text.split(' ').map((url) => ({ url, language: 'en', label: null, automatic: false }));
    },
    transcript: async ({ bytes, title }) => echo(`transcript of ${title}: `, bytes),
    ...more,
  };
};

/** Nothing resolves, and only addresses that a test maps are reachable. */
const noNetwork: Network = {
  resolve: async (hostname) => {
    throw Object.assign(new Error(`${hostname} is not resolved in tests`), { code: 'ENOTFOUND' });
  },
  isPublic: () => false,
};

export const crawlerOf = (
  settings: Partial<CrawlSettings & { slots: number }>,
  {
    threads = echoThreads(),
    recognise = 'nothing is recognised here',
    ...deps
  }: { threads?: ExtractThreads; recognise?: CrawlDeps['recognise']; network?: Network; clock?: Clock } = {},
): Crawler => {
  const defaults = {
    slots: 16,
    resolve: {},
    timeoutMs: 5000,
    maxBytes: 100_000,
    maxRedirects: 3,
    userAgent: 'CadreBot/1.0 (+knowledge indexer)',
    perHostConcurrency: 4,
    perHostDelayMs: 0,
  };
  const threadsOf = () => threads;
  return createCrawler({ ...defaults, ...settings }, threadsOf, () => recognise, silentLog, {
    network: noNetwork,
    ...deps,
  });
};

/** The site of `crawledSite`. */
export const DOCS = 'https://docs.acme.com';

/** A site behind crawl.resolve, and a crawler for it. */
export const crawledSite = async (
  { teardown }: Pick<Test, 'teardown'>,
  settings: Partial<CrawlSettings> = {},
  deps: Parameters<typeof crawlerOf>[1] = {},
): Promise<{ site: ScriptedSite; crawler: Crawler }> => {
  const site = await scriptedSite();
  const crawler = crawlerOf({ resolve: { [DOCS]: site.origin }, ...settings }, deps);
  teardown(async () => {
    await crawler.close();
    await site.close();
  });
  return { site, crawler };
};

export const never = new AbortController().signal;

/** Returns the outcome of a crawl, or its failure. */
export const ending = async (crawler: Crawler, payload: CrawlPagePayload, signal: AbortSignal = never) => {
  try {
    const outcome = await crawler.run(crawlPage, payload, someone, signal);
    return { outcome, failure: null, code: outcome.kind };
  } catch (error) {
    if (!(error instanceof TaskFailure)) throw error;
    return { outcome: null, failure: error.failure, code: error.failure.code };
  }
};

/** Returns the failure of the work, or null. */
export const failureFrom = async (work: Promise<unknown>): Promise<Failure | null> => {
  try {
    await work;
    return null;
  } catch (error) {
    if (error instanceof TaskFailure) return error.failure;
    throw error;
  }
};
