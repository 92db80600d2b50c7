import { isMediaFileUrl, isVideoUrl } from '../../core/knowledge/urls/video-url.js';
import { TaskFailure } from '../../core/tasks/failures.js';
import type { CrawlPagePayload } from '../../core/tasks/types/crawl-page.js';
import type { Outcome } from '../../core/tasks/wire.js';
import type { ExtractThreads } from '../threads/extract-threads.js';
import { type ContentKind, contentKindOf, mediaTypeOf } from './content-kind.js';
import type { CrawlSettings } from './crawl-settings.js';
import { type Extracted, extractedOf } from './extracted.js';
import { failureOfStatus } from './http-verdict.js';
import type { OutboundClient, OutboundRequest, OutboundResponse, ResponseHead } from './outbound-client.js';
import { declaredMetadata, fetchMetadata, unchangedMetadata, validatorsIn } from './page-metadata.js';
import type { Robots } from './robots.js';
import type { TimeBudget } from './time-budget.js';
import { fetchTranscript } from './video-transcript.js';
import type { Visit } from './visits.js';

export interface CrawlDeps {
  client: OutboundClient;
  robots: Robots;
  threads: ExtractThreads;
  /** Access to hosts and slots. The owner ends it. */
  visit: Visit;
  settings: Pick<CrawlSettings, 'maxBytes' | 'maxRedirects'>;
  now(): number;
}

export type CrawlOutcome = Extract<Outcome, { kind: 'unchanged' | 'extracted' }>;

const accept =
  'text/html, application/xhtml+xml, text/markdown;q=0.9, text/plain;q=0.9, application/pdf;q=0.8, */*;q=0.5';

const unsupported = (contentType: string | null): TaskFailure => {
  const type = mediaTypeOf(contentType).slice(0, 100) || 'a response without a content type';
  return new TaskFailure('CONTENT_TYPE_UNSUPPORTED', {
    message: `The URL leads to ${type}, not to HTML, text or a supported document.`,
  });
};

const kindOf = (payload: CrawlPagePayload, head: ResponseHead): ContentKind => {
  const kind = contentKindOf(head.header('content-type'), head.url);
  if (isVideoUrl(payload.url) && kind?.kind !== 'page') throw new TaskFailure('TRANSCRIPT_UNAVAILABLE');
  if (!kind) throw unsupported(head.header('content-type'));
  return kind;
};

const validatorsOf = ({ known, url }: CrawlPagePayload): Pick<OutboundRequest, 'validators'> => {
  // No validators for a video: its page may stay the same when its captions change.
  if (!known || isVideoUrl(url)) return {};
  const headers = {
    ...(known.etag === undefined ? {} : { 'if-none-match': known.etag }),
    ...(known.lastModified === undefined ? {} : { 'if-modified-since': known.lastModified }),
  };
  return { validators: { url: known.url ?? url, headers } };
};

const extract = async (
  payload: CrawlPagePayload,
  response: OutboundResponse,
  deps: CrawlDeps,
  limits: Parameters<typeof fetchTranscript>[1]['limits'],
  signal: AbortSignal,
): Promise<Extracted> => {
  const kind = kindOf(payload, response);
  const { bytes } = response;
  const knownHash = payload.known?.contentHash;
  if (kind.kind === 'file')
    return extractedOf(await deps.threads.file({ bytes, fileName: kind.fileName, knownHash }, signal));
  const page = { bytes, contentType: kind.contentType, url: response.url.href };
  if (isVideoUrl(payload.url)) return fetchTranscript(page, { ...deps, limits, knownHash }, signal);
  return extractedOf(await deps.threads.page({ ...page, knownHash }, signal));
};

/** Fetches one page and extracts its text in a thread. Throws TaskFailure, or the signal's reason if it aborts. */
export const crawlPage = async (
  payload: CrawlPagePayload,
  deps: CrawlDeps,
  signal: AbortSignal,
): Promise<CrawlOutcome> => {
  if (isMediaFileUrl(payload.url)) throw new TaskFailure('TRANSCRIPT_UNAVAILABLE');
  const limits = {
    maxBytes: deps.settings.maxBytes,
    overflow: 'fail',
    maxRedirects: deps.settings.maxRedirects,
    visit: deps.visit,
    beforeHop: (url: URL, time: TimeBudget) => deps.robots.check(url, time, deps.threads),
  } as const;
  const response = await deps.client.fetch({
    ...limits,
    url: payload.url,
    accept,
    ...validatorsOf(payload),
    admit(head) {
      if (head.status === 304 && head.validated) return false;
      const failure = failureOfStatus(head.status, head.header('retry-after'), deps.now());
      if (failure) throw failure;
      if (head.status === 204 || head.status === 205) throw new TaskFailure('EMPTY_TEXT');
      kindOf(payload, head);
      return true;
    },
    signal,
  });
  if (response.status === 304) {
    const { contentHash } = payload.known ?? {};
    const metadata = unchangedMetadata(payload, response);
    return { kind: 'unchanged', metadata, ...(contentHash === undefined ? {} : { contentHash }) };
  }
  // Count the bytes now, because the thread takes ownership of them.
  const fetched = fetchMetadata(payload.url, response);
  const { contentHash, extraction } = await extract(payload, response, deps, limits, signal);
  // Report the new validators, which may lead to a 304 next time.
  if (extraction === null) return { kind: 'unchanged', metadata: validatorsIn(response), contentHash };
  const { language, ...own } = extraction.metadata;
  const metadata = {
    ...declaredMetadata(response),
    ...own,
    ...(typeof language === 'string' ? { language } : {}),
    ...fetched,
  };
  return { kind: 'extracted', contentHash, extraction: { ...extraction, metadata } };
};
