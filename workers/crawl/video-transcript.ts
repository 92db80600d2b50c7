import { TaskFailure } from '../../core/tasks/failures.js';
import type { CaptionTrack, PageInput } from '../../reader/reading.js';
import type { ExtractThreads } from '../threads/extract-threads.js';
import { type Extracted, extractedOf } from './extracted.js';
import { failureOfStatus } from './http-verdict.js';
import type { OutboundClient, OutboundRequest } from './outbound-client.js';
import { compact } from './page-metadata.js';

/** Maximum number of tracks to try, in order of preference, until one has text. */
const MAX_TRACKS = 3;

export interface TranscriptDeps {
  client: OutboundClient;
  threads: ExtractThreads;
  /** The same limits, visit and robots rules as for the page. */
  limits: Pick<OutboundRequest, 'maxBytes' | 'overflow' | 'maxRedirects' | 'visit' | 'beforeHop'>;
  now(): number;
  /** Hash of the stored transcript. */
  knownHash: string | undefined;
}

const fetchTrack = async (
  track: CaptionTrack,
  page: PageInput & { title: string | null },
  deps: TranscriptDeps,
  signal: AbortSignal,
): Promise<Extracted> => {
  const response = await deps.client.fetch({
    ...deps.limits,
    url: new URL(track.url, page.url).href,
    accept: 'text/vtt, application/x-subrip, application/ttml+xml, text/*;q=0.8, */*;q=0.5',
    admit: (head) => {
      const failure = failureOfStatus(head.status, head.header('retry-after'), deps.now());
      if (failure) throw failure;
      return true;
    },
    signal,
  });
  const contentType = response.header('content-type');
  const { knownHash } = deps;
  const input = { bytes: response.bytes, contentType, url: response.url.href, title: page.title, knownHash };
  const { contentHash, extraction } = extractedOf(await deps.threads.transcript(input, signal));
  if (extraction === null) return { contentHash, extraction };
  const metadata = compact({
    captionsUrl: response.url.href,
    captionsAutomatic: track.automatic,
    language: track.language,
  });
  return { contentHash, extraction: { ...extraction, metadata: { ...extraction.metadata, ...metadata } } };
};

/**
 * Returns the title of the page; null if it is missing or unreadable, because the transcript does not depend on it.
 */
const titleOf = async (
  page: PageInput,
  threads: ExtractThreads,
  signal: AbortSignal,
): Promise<string | null> => {
  try {
    const result = await threads.page(page, signal);
    return result.ok ? result.extraction.title : null;
  } catch (error) {
    if (error instanceof TaskFailure) return null;
    throw error;
  }
};

/**
 * Returns the transcript of a video, from a caption track of its page. Throws the TaskFailure of a track if a retry
 * may help; otherwise TRANSCRIPT_UNAVAILABLE.
 */
export const fetchTranscript = async (
  page: PageInput,
  deps: TranscriptDeps,
  signal: AbortSignal,
): Promise<Extracted> => {
  // Pass a copy, because the thread takes ownership of the bytes.
  const offered = await deps.threads.captionTracks({ ...page, bytes: page.bytes.slice() }, signal);
  const tracks = offered.filter(({ url }) => URL.canParse(url, page.url)).slice(0, MAX_TRACKS);
  if (tracks.length === 0) throw new TaskFailure('TRANSCRIPT_UNAVAILABLE');
  const title = await titleOf(page, deps.threads, signal);
  const failures: TaskFailure[] = [];
  for (const track of tracks) {
    try {
      return await fetchTrack(track, { ...page, title }, deps, signal);
    } catch (error) {
      if (!(error instanceof TaskFailure)) throw error;
      failures.push(error);
    }
  }
  const retryable = failures.find(({ failure }) => failure.verdict === 'retry');
  const message = `The captions of the video could not be used. ${failures[0]?.message ?? ''}`.trim();
  throw retryable ?? new TaskFailure('TRANSCRIPT_UNAVAILABLE', { message, cause: failures[0] });
};
