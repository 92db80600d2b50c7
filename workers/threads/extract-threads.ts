import type { Failure } from '../../core/tasks/failures.js';
import type { Extraction } from '../../core/tasks/wire.js';
import type { SitemapInput, SitemapResult } from '../crawl/list-sitemap.js';
import type { RobotsInput } from '../crawl/robots-rules.js';
import type { CaptionTrack, FileInput, PageInput, TranscriptInput } from '../extract/reading.js';

/**
 * What a thread answers. Expected failures are values: an exception would lose its code on the way out of the thread.
 */
export type ExtractResult =
  | { ok: true; extraction: Extraction; contentHash: string }
  | { ok: false; failure: Failure };

/** The text is the one with the hash that was known: it is neither indexed nor sent back. */
export interface SameText {
  ok: true;
  extraction: null;
  contentHash: string;
}

/** For content that is read again, the hash of its stored text; undefined when none is stored. */
export type Renewed<Input> = Input & { knownHash: string | undefined };

interface Read<Input> {
  (input: Input & { knownHash?: never }, signal: AbortSignal): Promise<ExtractResult>;
  (input: Renewed<Input>, signal: AbortSignal): Promise<ExtractResult | SameText>;
}

/**
 * The CPU work of a worker, done in threads: its main thread parses no foreign bytes. Rejects with TaskFailure
 * PARSE_TIMEOUT, PARSE_MEMORY or TASK_FAILED. Each call takes ownership of the bytes.
 */
export interface ExtractThreads {
  page: Read<PageInput>;
  file: Read<FileInput>;
  /** Best first. */
  captionTracks(input: PageInput, signal: AbortSignal): Promise<CaptionTrack[]>;
  transcript: Read<TranscriptInput>;
  sitemap(input: SitemapInput, signal: AbortSignal): Promise<SitemapResult>;
  /** Whether a robots.txt allows a path. */
  robots(input: RobotsInput, signal: AbortSignal): Promise<boolean>;
}
