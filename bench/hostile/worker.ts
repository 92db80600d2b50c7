import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout } from 'node:timers/promises';
import pino from 'pino';
import { TaskFailure } from '../../core/tasks/failures.js';
import { someone } from '../../test/support/someone.js';
import { readBody } from '../../workers/crawl/response-body.js';
import type { ExtractResult } from '../../workers/threads/extract-threads.js';
import { createPools } from '../../workers/threads/pools.js';
import type { Answer, Order } from './orders.js';

/** The process under attack: the pools of a worker, which get what they are told to read. */
const [threads = 2, threadMemoryMb = 512, timeoutMs = 120_000, maxPageBytes = 10_485_760] = process.argv
  .slice(2)
  .map(Number);
const pools = createPools({ threads, threadMemoryMb, timeoutMs }, pino({ level: 'silent' })).of(someone);
const never = new AbortController().signal;

const RESOLUTION_MS = 2;
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
delays.enable();

process.on('message', async (order: Order) => {
  const bytes = new Uint8Array(readFileSync(order.path));
  delays.reset();
  const start = performance.now();
  const outcome: Outcome = await work(order, bytes).catch((error: unknown) => ({
    ok: false as const,
    failure: error instanceof TaskFailure ? error.failure : { code: String(error), message: '' },
  }));
  const ms = performance.now() - start;
  // The time that the main thread was blocked last shows with the next sample.
  await setTimeout(2 * RESOLUTION_MS);
  const took = { ms, blockedMs: delays.max / 1e6 };
  const answer: Answer = outcome.ok
    ? { ...outcome, message: '', ...took }
    : { code: outcome.failure.code, message: outcome.failure.message, chars: 0, ...took };
  process.send?.(answer);
});

type Outcome =
  | { ok: true; code: string; chars: number }
  | { ok: false; failure: { code: string; message: string } };

async function work(order: Order, bytes: Uint8Array): Promise<Outcome> {
  if (order.kind === 'file') return outcomeOf(await pools.file({ bytes, fileName: order.fileName }, never));
  if (order.kind === 'robots') {
    await pools.robots({ bytes, token: 'CadreBot', path: `/${'a'.repeat(2000)}` }, never);
    return { ok: true, code: 'ok', chars: 0 };
  }
  const encoding = order.kind === 'page' ? order.contentEncoding : 'gzip';
  const limits = { maxBytes: maxPageBytes, overflow: 'fail' } as const;
  const body = await readBody(inOnePiece(bytes), encoding, limits, never);
  if (order.kind === 'page')
    return outcomeOf(
      await pools.page({ bytes: body, contentType: order.contentType, url: order.url }, never),
    );
  const limit = { pages: 2000, sitemaps: 2000 };
  const listed = await pools.sitemap({ bytes: body, host: 'site.example', limit, maxFound: 100_000 }, never);
  return listed.ok ? { ok: true, code: 'ok', chars: listed.pages.urls.join().length } : listed;
}

function outcomeOf(result: ExtractResult): Outcome {
  if (!result.ok) return result;
  const { text, metadata } = result.extraction;
  return { ok: true, code: metadata.truncated === true ? 'ok, cut' : 'ok', chars: text.length };
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

process.send?.('ready');
