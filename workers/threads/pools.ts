import { Piscina } from 'piscina';
import type { Owner } from '../../core/fairness/owner.js';
import { createSemaphore, type Semaphore } from '../../core/fairness/semaphore.js';
import type { Log } from '../../core/ports/log.port.js';
import { TaskFailure } from '../../core/tasks/failures.js';
import { inSpan } from '../../core/tracing/trail.js';
import type {
  CaptionTrack,
  FileInput,
  PageInput,
  RecognisedPage,
  TranscriptInput,
} from '../../reader/reading.js';
import type { SitemapResult } from '../crawl/list-sitemap.js';
import type { RobotsFacts } from '../crawl/robots-rules.js';
import type { ExtractResult, ExtractThreads, ScanThreads, SitePage } from './extract-threads.js';
import { createMemoryWatch } from './memory-watch.js';

export interface PoolOptions {
  /** Number of threads of each pool, without the spare thread for workspaces that hold none. */
  threads: number;
  /** JavaScript heap limit of a thread. It does not cover buffers, which the memory watch limits. */
  threadMemoryMb: number;
  /** Limit for a task's buffers outside the heap of its thread: the file and its decompressed content. */
  bufferMb?: number;
  /** Timeout of one call without its time in the queue, in milliseconds. */
  timeoutMs: number;
  /** Called if stopped threads have not released their memory, so that the process should be replaced. */
  onMemoryKept?: () => void;
}

export interface Pools {
  /** Returns the number of busy threads by pool. */
  busy(): { pages: number; files: number; scans: number };
  /** Returns access to the threads for one owner. Owners are served round-robin. */
  of(owner: Owner): ExtractThreads & ScanThreads;
  close(): Promise<void>;
}

interface ThreadPool {
  threads: Piscina;
  permits: Semaphore;
  busy: number;
}

/**
 * Number of page threads that start immediately and stay, so that the first page after a pause does not wait for a
 * start.
 */
const PAGE_THREADS_KEPT = 1;
/**
 * Idle timeouts in milliseconds. A page thread is kept longer for its compiled code; a file thread may hold much
 * memory.
 */
const IDLE_PAGE_MS = 60_000;
const IDLE_FILE_MS = 10_000;
/** Share of the timeout for one scanned page, so that a hostile page does not delay the others much. */
const SCAN_SHARE = 1 / 4;
/** Spare threads of each pool for workspaces that hold none, while all other threads are busy with long tasks. */
const SPARE_THREADS = 1;
const BUFFER_MB = 512;
/** Reserve in MiB for allocations between two checks of the memory watch. */
const SPARE_HEAP_MB = 1024;
const fromSource = import.meta.url.endsWith('.ts');
const file = (name: string): string =>
  new URL(fromSource ? './from-source.mjs' : `./${name}.thread.js`, import.meta.url).href;

/**
 * Creates the thread pools for CPU work: one for pages, one for files and one for recognising text, so that a page does
 * not queue behind a large file, nor a file behind a scan.
 */
export function createPools(
  { threads, threadMemoryMb, bufferMb = BUFFER_MB, timeoutMs, onMemoryKept = () => {} }: PoolOptions,
  log: Log,
): Pools {
  // A thread that reaches its heap limit may end the process. So each thread's limit is the allowance of all threads
  // together, and the memory watch stops a thread that exceeds its share.
  const heapLimitMb = 2 * (threads + SPARE_THREADS) * threadMemoryMb + SPARE_HEAP_MB;
  const pool = (filename: string, idleTimeout: number, minThreads: number): ThreadPool => {
    const threadsOf = new Piscina({
      filename,
      minThreads,
      maxThreads: threads + SPARE_THREADS,
      idleTimeout,
      concurrentTasksPerWorker: 1,
      // Waiting with Atomics takes an eighth more CPU time per page.
      atomics: 'disabled',
      resourceLimits: { maxOldGenerationSizeMb: heapLimitMb },
    });
    // Log the death of an idle thread, which fails no task. Without this listener, it would end the process.
    threadsOf.on('error', (error: unknown) => log.warn({ err: error }, 'an extraction thread died'));
    return { threads: threadsOf, permits: createSemaphore(threads, { spare: SPARE_THREADS }), busy: 0 };
  };
  const pages = pool(file('page'), IDLE_PAGE_MS, PAGE_THREADS_KEPT);
  const files = pool(file('file'), IDLE_FILE_MS, 0);
  const scans = pool(file('scan'), IDLE_FILE_MS, 0);
  const memory = createMemoryWatch({
    threads: () => pages.threads.threads.length + files.threads.threads.length + scans.threads.threads.length,
    perThread: threadMemoryMb * 1024 * 1024,
    perTask: bufferMb * 1024 * 1024,
    onMemoryKept,
  });

  async function read<R>(
    on: ThreadPool,
    name: string,
    input: { bytes: Uint8Array },
    owner: Owner,
    signal: AbortSignal,
  ): Promise<R> {
    const release = await on.permits.acquire(signal, owner).catch((cause) => {
      const message = 'All threads were busy for too long. Cadre tries again automatically.';
      throw new TaskFailure('TASK_FAILED', { message, cause });
    });
    const limit = new AbortController();
    const forget = await memory.enter((failure) => limit.abort(failure));
    // The timeout starts with the work, so that the time in the queue does not count.
    const clock = setTimeout(() => limit.abort(), on === scans ? timeoutMs * SCAN_SHARE : timeoutMs);
    const giveUp = () => limit.abort();
    signal.addEventListener('abort', giveUp, { once: true });
    if (signal.aborted) giveUp();
    on.busy += 1;
    try {
      const bytes = ownBytes(input.bytes);
      return await on.threads.run(
        { ...input, bytes },
        { name, signal: limit.signal, transferList: [bytes.buffer as ArrayBuffer] },
      );
    } catch (error) {
      throw asFailure(error, limit.signal);
    } finally {
      on.busy -= 1;
      forget();
      clearTimeout(clock);
      signal.removeEventListener('abort', giveUp);
      release();
    }
  }

  /** Runs a task in a span that includes the wait for a thread. */
  const run = <R>(
    on: ThreadPool,
    name: string,
    input: { bytes: Uint8Array },
    owner: Owner,
    signal: AbortSignal,
  ): Promise<R> =>
    inSpan(`parse ${name}`, 'internal', (span) => {
      span?.set({ 'cadre.parse.bytes': input.bytes.byteLength });
      return read<R>(on, name, input, owner, signal);
    });

  return {
    busy: () => ({ pages: pages.busy, files: files.busy, scans: scans.busy }),
    of: (owner) => ({
      page: (input: PageInput, signal: AbortSignal) =>
        run<ExtractResult>(pages, 'extractPage', input, owner, signal),
      refreshTarget: (input, signal) => run<string | null>(pages, 'refreshTarget', input, owner, signal),
      captionTracks: (input, signal) => run<CaptionTrack[]>(pages, 'findCaptionTracks', input, owner, signal),
      transcript: (input: TranscriptInput, signal: AbortSignal) =>
        run<ExtractResult>(pages, 'extractTranscript', input, owner, signal),
      sitemap: (input, signal) => run<SitemapResult>(pages, 'listSitemap', input, owner, signal),
      robots: (input, signal) => run<boolean>(pages, 'isAllowed', input, owner, signal),
      robotsFacts: (input, signal) => run<RobotsFacts>(pages, 'robotsFacts', input, owner, signal),
      sitePage: (input, signal) => run<SitePage>(pages, 'readSitePage', input, owner, signal),
      file: (input: FileInput, signal: AbortSignal) =>
        run<ExtractResult>(files, 'extractFile', input, owner, signal),
      scan: (input, signal) => run<RecognisedPage>(scans, 'recogniseScan', input, owner, signal),
      scans: threads,
    }),
    async close() {
      await Promise.all([pages, files, scans].map((one) => one.threads.destroy()));
    },
  };
}

/** Returns the bytes in a buffer of their own, which can be transferred to a thread. */
function ownBytes(bytes: Uint8Array): Uint8Array {
  const alone = bytes.byteLength === bytes.buffer.byteLength && bytes.buffer instanceof ArrayBuffer;
  return alone && !Buffer.isBuffer(bytes) ? bytes : Uint8Array.from(bytes);
}

/** Converts the error of a thread that timed out, ran out of memory or died. The pool replaces the thread. */
function asFailure(error: unknown, limit: AbortSignal): TaskFailure {
  if (limit.reason instanceof TaskFailure) return limit.reason;
  const { code, name } = error as { code?: string; name?: string };
  if (limit.aborted || name === 'AbortError') return new TaskFailure('PARSE_TIMEOUT', { cause: error });
  if (code === 'ERR_WORKER_OUT_OF_MEMORY') return new TaskFailure('PARSE_MEMORY', { cause: error });
  return new TaskFailure('TASK_FAILED', { cause: error });
}
