import { isMediaFileUrl, isVideoUrl } from '../../core/knowledge/urls/video-url.js';
import type { JsonObject } from '../../core/schemas/json.js';
import { TaskFailure } from '../../core/tasks/failures.js';
import type { CrawlPagePayload } from '../../core/tasks/types/crawl-page.js';
import type { Outcome } from '../../core/tasks/wire.js';
import { refreshUrl } from '../../reader/refresh-url.js';
import { isBinary } from '../../reader/sniff.js';
import type { ScannedFile } from '../recognise/recognised-file.js';
import type { ExtractResult, ExtractThreads, SameText } from '../threads/extract-threads.js';
import { type ContentKind, contentKindOf, extensionOf, mayBeReadable, mediaTypeOf } from './content-kind.js';
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
  /** Product token of the crawler. */
  robotsToken: string;
  threads: ExtractThreads;
  /** Reads a PDF with its scanned pages; a sentence if this worker recognises no text. */
  recognise: RecogniseScan | string;
  /** Access to hosts and slots. The owner ends it. */
  visit: Visit;
  settings: Pick<CrawlSettings, 'maxBytes' | 'maxRedirects'>;
  now(): number;
}

export type RecogniseScan = (file: ScannedFile, signal: AbortSignal) => Promise<ExtractResult | SameText>;

export type CrawlOutcome = Extract<Outcome, { kind: 'unchanged' | 'extracted' }>;

/** Bytes at the start of a page in which it may declare a redirect. */
const HEAD_BYTES = 64 * 1024;

const accept =
  'text/html, application/xhtml+xml, text/markdown;q=0.9, text/plain;q=0.9, application/pdf;q=0.8, */*;q=0.5';

const unsupported = (contentType: string | null, isDeclaredAsPage: boolean): TaskFailure => {
  const type = mediaTypeOf(contentType).slice(0, 100) || 'a response of an unknown content type';
  return new TaskFailure('CONTENT_TYPE_UNSUPPORTED', {
    message: isDeclaredAsPage
      ? `The URL leads to binary data that the site declares as ${type}. Submit the URL of a page or of a supported document.`
      : `The URL leads to ${type}, not to HTML, text or a supported document.`,
  });
};

export const kindOf = (payload: Pick<CrawlPagePayload, 'url'>, response: OutboundResponse): ContentKind => {
  const contentType = response.header('content-type');
  const kind = contentKindOf(contentType, response.url, response.bytes);
  if (isVideoUrl(payload.url) && kind?.kind !== 'page') throw new TaskFailure('TRANSCRIPT_UNAVAILABLE');
  if (!kind) {
    const isText = /^text\//.test(mediaTypeOf(contentType));
    throw unsupported(contentType, isText && isBinary(response.bytes, contentType));
  }
  return kind;
};

/** Rejects a response that cannot have text, before the rest of its body is read. */
const refuseMedia = (payload: Pick<CrawlPagePayload, 'url'>, head: ResponseHead, start: Uint8Array): void => {
  const contentType = head.header('content-type');
  if (mayBeReadable(contentType, start)) return;
  throw isVideoUrl(payload.url) ? new TaskFailure('TRANSCRIPT_UNAVAILABLE') : unsupported(contentType, false);
};

/** Finds the redirect in a page, by its header or its markup. Only a page that mentions one is parsed. */
const redirectIn = async (
  response: OutboundResponse,
  time: TimeBudget,
  threads: ExtractThreads,
): Promise<string | null> => {
  const declared = response.header('refresh');
  if (declared !== null) return refreshUrl(declared);
  const { bytes, url } = response;
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, HEAD_BYTES)).toString(
    'latin1',
  );
  const contentType = response.header('content-type');
  const kind =
    /http-equiv/i.test(head) && /refresh/i.test(head) ? contentKindOf(contentType, url, bytes) : null;
  if (kind?.kind !== 'page' || /^text\/(?:plain|markdown|x-markdown)/i.test(kind.contentType ?? ''))
    return null;
  // Pass a copy, because the thread takes ownership of the bytes.
  const page = { bytes: bytes.slice(), contentType: kind.contentType, url: url.href };
  return time.pausedDuring(() => threads.refreshTarget(page, time.signal));
};

const validatorsOf = ({
  known,
  url,
}: Pick<CrawlPagePayload, 'url' | 'known'>): Pick<OutboundRequest, 'validators'> => {
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
  if (kind.kind === 'file') {
    const { language = response.header('content-language') } = payload;
    return extractedOf(await readFile({ bytes, fileName: kind.fileName, language, knownHash }, deps, signal));
  }
  const page = { bytes, contentType: kind.contentType, url: response.url.href };
  if (isVideoUrl(payload.url)) return fetchTranscript(page, { ...deps, limits, knownHash }, signal);
  return extractedOf(await deps.threads.page({ ...page, knownHash }, signal));
};

/** Reads a document, its scanned pages included. Their slot is free for other pages while they are recognised. */
export const readFile = async (
  file: Omit<ScannedFile, 'pages'>,
  { threads, recognise, visit }: CrawlDeps,
  signal: AbortSignal,
): Promise<ExtractResult | SameText> => {
  const { fileName, knownHash } = file;
  const scan = typeof recognise !== 'string' && extensionOf(fileName) === 'pdf' ? recognise : null;
  // The thread takes ownership of its bytes.
  const bytes = scan === null ? file.bytes : file.bytes.slice();
  const result = await threads.file({ bytes, fileName, knownHash }, signal);
  const { scannedPages: pages = [] } = result;
  if (pages.length === 0) return result;
  if (scan !== null) {
    visit.end();
    return scan({ ...file, pages }, signal);
  }
  if (result.ok || typeof recognise !== 'string') return result;
  return { ...result, failure: { ...result.failure, message: recognise } };
};

/** Returns the limits of a fetch. `beforeHop` checks each URL before it is requested. */
export const limitsOf = (
  { settings, visit }: CrawlDeps,
  beforeHop: (url: URL, time: TimeBudget) => Promise<void>,
) =>
  ({
    maxBytes: settings.maxBytes,
    overflow: 'fail',
    maxRedirects: settings.maxRedirects,
    visit,
    beforeHop,
  }) as const;

/** Fetches a page, with the validators of its stored content. Throws like `crawlPage`. */
export const fetchPage = (
  payload: Pick<CrawlPagePayload, 'url' | 'known'>,
  deps: CrawlDeps,
  limits: ReturnType<typeof limitsOf>,
  signal: AbortSignal,
): Promise<OutboundResponse> =>
  deps.client.fetch({
    ...limits,
    url: payload.url,
    accept,
    ...validatorsOf(payload),
    redirectIn: (page, time) => redirectIn(page, time, deps.threads),
    admit(head) {
      if (head.status === 304 && head.validated) return false;
      const failure = failureOfStatus(head.status, head.header('retry-after'), deps.now());
      if (failure) throw failure;
      if (head.status === 204 || head.status === 205) throw new TaskFailure('EMPTY_TEXT');
      return true;
    },
    admitStart: (head, start) => refuseMedia(payload, head, start),
    signal,
  });

/** Returns the metadata of a page that was read. Call `fetchMetadata` before a thread takes ownership of the bytes. */
export const pageMetadata = (
  response: OutboundResponse,
  { language, ...own }: JsonObject,
  fetched: JsonObject,
): JsonObject => ({
  ...declaredMetadata(response),
  ...own,
  ...(typeof language === 'string' ? { language } : {}),
  ...fetched,
});

/** Fetches one page and extracts its text in a thread. Throws TaskFailure, or the signal's reason if it aborts. */
export const crawlPage = async (
  payload: CrawlPagePayload,
  deps: CrawlDeps,
  signal: AbortSignal,
): Promise<CrawlOutcome> => {
  if (isMediaFileUrl(payload.url)) throw new TaskFailure('TRANSCRIPT_UNAVAILABLE');
  const limits = limitsOf(deps, (url, time) => deps.robots.check(url, time, deps.threads));
  const response = await fetchPage(payload, deps, limits, signal);
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
  const metadata = pageMetadata(response, extraction.metadata, fetched);
  return { kind: 'extracted', contentHash, extraction: { ...extraction, metadata } };
};
