import type { Failure } from '../../core/tasks/failures.js';
import type { Extraction } from '../../core/tasks/wire.js';
import type { CaptionTrack, FileInput, PageInput, TranscriptInput } from '../extract/reading.js';

/** What a thread answers. Expected failures are values: an exception would lose its code on the way out of the thread. */
export type ExtractResult =
  | { ok: true; extraction: Extraction; contentHash: string }
  | { ok: false; failure: Failure };

/** The CPU work of a worker, done in threads. Rejects with TaskFailure PARSE_TIMEOUT, PARSE_MEMORY or WORKER_CRASHED. */
export interface ExtractThreads {
  page(input: PageInput, signal: AbortSignal): Promise<ExtractResult>;
  file(input: FileInput, signal: AbortSignal): Promise<ExtractResult>;
  /** Best first. */
  captionTracks(input: PageInput, signal: AbortSignal): Promise<CaptionTrack[]>;
  transcript(input: TranscriptInput, signal: AbortSignal): Promise<ExtractResult>;
}
