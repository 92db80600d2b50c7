import type { Log } from '../../core/ports/log.port.js';
import type { Storage } from '../../core/ports/storage.port.js';
import { TaskFailure } from '../../core/tasks/failures.js';
import type { RecognisePagesPayload } from '../../core/tasks/types/recognise-pages.js';
import type { Outcome, TaskProgress } from '../../core/tasks/wire.js';
import type { RecognisedPage } from '../../reader/reading.js';
import { extractedFrom, readObject } from '../parse/parse-file.task.js';
import type { ExtractThreads, ScanThreads } from '../threads/extract-threads.js';
import type { Recognition } from './recognition.js';

/**
 * Recognises the scanned pages of an uploaded file, as many at a time as there are threads, then reads the file with
 * them. Throws TaskFailure.
 */
export async function recognisePages(
  payload: RecognisePagesPayload,
  {
    storage,
    threads,
    recognition,
    budgetMs,
    report,
    log,
  }: {
    storage: Pick<Storage, 'open'>;
    threads: Pick<ExtractThreads, 'file'> & ScanThreads;
    recognition: Recognition;
    /** Time for recognition, in milliseconds. Pages that are not reached stay unread. */
    budgetMs: number;
    report: (progress: TaskProgress) => void;
    log: Pick<Log, 'warn'>;
  },
  signal: AbortSignal,
): Promise<Outcome> {
  const bytes = await readObject(payload, storage, signal);
  const languages = recognition.languagesFor(payload.language);
  const waiting = payload.pages.slice(0, recognition.maxPages);
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
  recognised.push(...waiting.map(unread), ...payload.pages.slice(recognition.maxPages).map(unread));
  const result = await threads.file({ bytes, fileName: payload.fileName, recognised }, signal);
  return extractedFrom(result);
}

const unread = (page: number): RecognisedPage => ({ page, items: [], isPartial: true });
