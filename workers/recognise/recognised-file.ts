import type { Log } from '../../core/ports/log.port.js';
import { TaskFailure } from '../../core/tasks/failures.js';
import type { TaskProgress } from '../../core/tasks/wire.js';
import type { RecognisedPage } from '../../reader/reading.js';
import type { ExtractResult, ExtractThreads, SameText, ScanThreads } from '../threads/extract-threads.js';
import type { Recognition } from './recognition.js';

export interface ScannedFile {
  bytes: Uint8Array;
  fileName: string;
  /** Pages that may be pictures of text, from 1. */
  pages: readonly number[];
  /** Locale of the agent, or null. */
  language: string | null;
  /** Hash of the stored text, if the file was read before. */
  knownHash?: string | undefined;
}

export interface RecognitionParts {
  threads: Pick<ExtractThreads, 'file'> & ScanThreads;
  recognition: Recognition;
  /** Time for recognition, in milliseconds. Pages that are not reached stay unread. */
  budgetMs: number;
  report: (progress: TaskProgress) => void;
  log: Pick<Log, 'warn'>;
}

/** Recognises scanned pages of a file, as many at a time as there are threads, then reads the file with them. */
export async function readRecognised(
  file: ScannedFile & { knownHash?: undefined },
  parts: RecognitionParts,
  signal: AbortSignal,
): Promise<ExtractResult>;
export async function readRecognised(
  file: ScannedFile,
  parts: RecognitionParts,
  signal: AbortSignal,
): Promise<ExtractResult | SameText>;
export async function readRecognised(
  { bytes, fileName, pages, language, knownHash }: ScannedFile,
  { threads, recognition, budgetMs, report, log }: RecognitionParts,
  signal: AbortSignal,
): Promise<ExtractResult | SameText> {
  const languages = recognition.languagesFor(language);
  const waiting = pages.slice(0, recognition.maxPages);
  const of = waiting.length;
  const recognised: RecognisedPage[] = [];
  const until = performance.now() + budgetMs;
  async function takePages(): Promise<void> {
    while (performance.now() < until) {
      const page = waiting.shift();
      if (page === undefined) return;
      recognised.push(await recogniseOne(page));
      report({ done: recognised.length, of });
    }
  }
  // A page that is too hostile or too large stays unread. The others are still read.
  const recogniseOne = (page: number): Promise<RecognisedPage> =>
    threads.scan({ bytes: Uint8Array.from(bytes), page, languages }, signal).catch((error: unknown) => {
      const isOfPage = error instanceof TaskFailure && error.failure.verdict !== 'retry';
      if (signal.aborted || !isOfPage) throw error;
      log.warn({ err: error, page }, 'a scanned page could not be recognised');
      return unread(page);
    });
  report({ done: 0, of });
  await Promise.all(Array.from({ length: Math.min(threads.scans, of) }, takePages));
  recognised.push(...waiting.map(unread), ...pages.slice(recognition.maxPages).map(unread));
  return threads.file({ bytes, fileName, recognised, knownHash }, signal);
}

const unread = (page: number): RecognisedPage => ({ page, items: [], isPartial: true });
