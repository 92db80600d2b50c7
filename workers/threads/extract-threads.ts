import type { Failure } from '../../core/tasks/failures.js';
import type { Extraction } from '../../core/tasks/wire.js';
import type {
  CaptionTrack,
  FileInput,
  PageInput,
  RecognisedPage,
  TranscriptInput,
} from '../../reader/reading.js';
import type { SitemapInput, SitemapResult } from '../crawl/list-sitemap.js';
import type { RobotsFacts, RobotsInput } from '../crawl/robots-rules.js';

export interface ScanInput {
  bytes: Uint8Array;
  /** Number of the page, from 1. */
  page: number;
  /** Names of installed language data, most likely first. */
  languages: readonly string[];
}

/**
 * The result of a thread. Expected failures are values, because an exception would lose its code when it leaves the
 * thread.
 */
export type ExtractResult = (
  | { ok: true; extraction: Extraction; contentHash: string }
  | { ok: false; failure: Failure }
) & {
  /** Pages of a PDF that may be pictures of text, from 1. */
  scannedPages?: readonly number[];
};

/** The text has the known hash, so it is not indexed and not returned. */
export interface SameText {
  ok: true;
  extraction: null;
  contentHash: string;
  scannedPages?: readonly number[];
}

/** Input with the hash of the stored text if the content was fetched before; undefined for new content. */
export type Renewed<Input> = Input & { knownHash: string | undefined };

/** A page of a whole site. */
export type SitePageInput = Renewed<PageInput> & {
  /** Only links to this origin are returned. */
  origin: string;
  /** Product token of the crawler. */
  token: string;
};

/** Links of a page that are not followed. */
export interface NotFollowed {
  reason: 'host' | 'invalid' | 'nofollow';
  count: number;
  examples: string[];
}

/** Text and links of a page of a whole site. */
export interface SitePage {
  page: ExtractResult | SameText;
  /** Distinct, normalised URLs of the site. */
  links: string[];
  skipped: NotFollowed[];
  /** The normalised canonical URL, if it is another one. */
  canonical: string | null;
  noindex: boolean;
}

interface Read<Input> {
  (input: Input & { knownHash?: never }, signal: AbortSignal): Promise<ExtractResult>;
  (input: Renewed<Input>, signal: AbortSignal): Promise<ExtractResult | SameText>;
}

/**
 * Runs a worker's CPU work in threads, so that the main thread parses no untrusted bytes. Each call takes ownership
 * of the bytes, and may reject with TaskFailure: PARSE_TIMEOUT, PARSE_MEMORY or TASK_FAILED.
 */
export interface ExtractThreads {
  page: Read<PageInput>;
  file: Read<FileInput>;
  /** Returns the absolute URL to which a page leads by itself, or null. */
  refreshTarget(input: PageInput, signal: AbortSignal): Promise<string | null>;
  /** Returns the caption tracks of a video's page, best first. */
  captionTracks(input: PageInput, signal: AbortSignal): Promise<CaptionTrack[]>;
  transcript: Read<TranscriptInput>;
  sitemap(input: SitemapInput, signal: AbortSignal): Promise<SitemapResult>;
  /** Returns whether a robots.txt allows a path. */
  robots(input: RobotsInput, signal: AbortSignal): Promise<boolean>;
  robotsFacts(input: Omit<RobotsInput, 'path'>, signal: AbortSignal): Promise<RobotsFacts>;
  /** Reads text and links of a page of a whole site. */
  sitePage(input: SitePageInput, signal: AbortSignal): Promise<SitePage>;
}

/** Recognises text in threads of its own. May reject with TaskFailure, like the others. */
export interface ScanThreads {
  /** Recognises the text of one page of a PDF. */
  scan(input: ScanInput, signal: AbortSignal): Promise<RecognisedPage>;
  /** Number of pages that can be recognised at the same time. */
  scans: number;
}
