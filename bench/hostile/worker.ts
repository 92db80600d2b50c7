import { readFileSync } from 'node:fs';
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

process.on('message', async (order: Order) => {
  const start = performance.now();
  const outcome = await work(order).catch((error: unknown) => ({
    ok: false as const,
    failure: error instanceof TaskFailure ? error.failure : { code: String(error), message: '' },
  }));
  const answer: Answer = outcome.ok
    ? {
        code: outcome.extraction.metadata.truncated === true ? 'ok, cut' : 'ok',
        message: '',
        chars: outcome.extraction.text.length,
        ms: performance.now() - start,
      }
    : {
        code: outcome.failure.code,
        message: outcome.failure.message,
        chars: 0,
        ms: performance.now() - start,
      };
  process.send?.(answer);
});

async function work(order: Order): Promise<ExtractResult> {
  const bytes = new Uint8Array(readFileSync(order.path));
  if (order.kind === 'file') return pools.file({ bytes, fileName: order.fileName }, never);
  const body = await readBody(
    inOnePiece(bytes),
    order.contentEncoding,
    { maxBytes: maxPageBytes, overflow: 'fail' },
    never,
  );
  return pools.page({ bytes: body, contentType: order.contentType, url: order.url }, never);
}

async function* inOnePiece(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

process.send?.('ready');
