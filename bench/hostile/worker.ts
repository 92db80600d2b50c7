import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import pino from 'pino';
import { TaskFailure } from '../../core/tasks/failures.js';
import { someone } from '../../test/support/someone.js';
import { readBody } from '../../workers/crawl/response-body.js';
import type { ExtractResult } from '../../workers/threads/extract-threads.js';
import { createPools } from '../../workers/threads/pools.js';
import type { HostileInput } from './input.js';

export interface Answer {
  /** The failure code, or `ok`. */
  code: string;
  /** Length of the extracted text. */
  chars: number;
  ms: number;
  /** Longest block of the main thread in milliseconds. */
  blockedMs: number;
  /** Peak resident memory of the process. */
  peakMb: number;
  /** Outcome of a good file that was read afterwards. */
  next: string;
}

type Order = Omit<HostileInput, 'make'> & { path: string; goodPath: string };
type Outcome = Pick<Answer, 'code' | 'chars'>;

const MAX_PAGE_BYTES = 10_485_760;
const RESOLUTION_MS = 2;
const pools = createPools({ threads: 2, threadMemoryMb: 512, timeoutMs: 120_000 }, pino({ level: 'silent' }));
const threads = pools.of(someone);
const never = new AbortController().signal;

const order = JSON.parse(process.argv[2] ?? '') as Order;
const readGood = () =>
  settled(
    threads
      .file({ bytes: new Uint8Array(readFileSync(order.goodPath)), fileName: 'good.docx' }, never)
      .then(outcomeOf),
  );
// Starts a thread.
await readGood();
const bytes = new Uint8Array(readFileSync(order.path));
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();
const start = performance.now();
const outcome = await settled(work(order, bytes));
const ms = performance.now() - start;
// The last block of the main thread shows in the next sample.
await setTimeout(2 * RESOLUTION_MS);
const blockedMs = delays.max / 1e6;
const { code: next } = await readGood();
// `maxRSS` would include the memory of the process that started this one.
const peakKb = /VmHWM:\s+(\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
const answer: Answer = { ...outcome, ms, blockedMs, peakMb: Math.round(Number(peakKb) / 1024), next };
process.send?.(answer, () => process.exit());

function settled(reading: Promise<Outcome>): Promise<Outcome> {
  return reading.catch((error: unknown) => ({
    code: error instanceof TaskFailure ? error.failure.code : String(error),
    chars: 0,
  }));
}

async function work(
  { kind, fileName = '', contentEncoding = 'gzip' }: Order,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<Outcome> {
  if (kind === 'file') return outcomeOf(await threads.file({ bytes, fileName }, never));
  if (kind === 'robots') {
    await threads.robots({ bytes, token: 'CadreBot', path: `/${'a'.repeat(2000)}` }, never);
    return { code: 'ok', chars: 0 };
  }
  const limits = { maxBytes: MAX_PAGE_BYTES, overflow: 'fail' } as const;
  const body = await readBody(inOnePiece(bytes), contentEncoding, limits, never);
  if (kind === 'page') {
    const page = { bytes: body, contentType: 'text/html; charset=utf-8', url: 'https://site.example/' };
    return outcomeOf(await threads.page(page, never));
  }
  const limit = { pages: 2000, sitemaps: 2000 };
  const listed = await threads.sitemap(
    { bytes: body, host: 'site.example', limit, maxFound: 100_000 },
    never,
  );
  return listed.ok
    ? { code: 'ok', chars: listed.pages.urls.join().length }
    : { code: listed.failure.code, chars: 0 };
}

function outcomeOf(result: ExtractResult): Outcome {
  if (!result.ok) return { code: result.failure.code, chars: 0 };
  const { text, metadata } = result.extraction;
  return { code: metadata.truncated === true ? 'ok, cut' : 'ok', chars: text.length };
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
