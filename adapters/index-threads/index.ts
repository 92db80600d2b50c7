import type { Piscina } from 'piscina';
import type { Notation } from '../../core/knowledge/notation.js';
import { type IndexedText, type Indexer, IndexerBusy, NotIndexable } from '../../core/ports/indexer.port.js';
import type { Log } from '../../core/ports/log.port.js';
import { indexText } from '../../core/retrieval/index-text.js';
import type { Party } from '../../core/tasks/party.js';
import { createWaitingRoom } from '../../core/tasks/waiting-room.js';
import type { indexLongText } from './index.thread.js';

/** Up to here (some three milliseconds) a thread is not worth the way. */
const AT_ONCE_BYTES = 32 * 1024;
/** Two, so that a book does not hold up a leaflet. */
const THREADS = 2;
/**
 * So many texts of one workspace may wait. All that wait are bounded elsewhere: texts of requests by the memory for
 * bodies, those of finished tasks by the number of events that are handed over at a time.
 */
const LINE = 100;
const IDLE_MS = 10_000;
/** The longest text that is ever stored takes a tenth of it. */
const LIMIT_MS = 60_000;

const fromSource = import.meta.url.endsWith('.ts');
const filename = new URL(fromSource ? './from-source.mjs' : './index.thread.js', import.meta.url).href;

type Found = ReturnType<typeof indexLongText>;

export interface IndexThreads extends Indexer {
  close(): Promise<void>;
}

/**
 * Indexes short texts at once, and long ones in threads that come and go with the work. `limitMs` bounds one
 * long text, its wait included.
 */
export function startIndexThreads(log: Log, limitMs = LIMIT_MS): IndexThreads {
  let pool: Promise<Piscina> | undefined;
  let underWay = 0;
  let closed = false;
  const room = createWaitingRoom<Party>(
    () => underWay < THREADS,
    () => {
      underWay += 1;
    },
  );

  async function inThread(text: string, party: Party, notation: Notation | undefined): Promise<IndexedText> {
    pool ??= openPool(log);
    const threads = await pool;
    const signal = AbortSignal.timeout(limitMs);
    const hadToWait = underWay >= THREADS;
    if (room.sizeOf(party.workspaceId) >= LINE) throw new IndexerBusy();
    await room.enter(party, signal).catch(() => {
      // Its time has gone with that of others: this says nothing about the text.
      throw new IndexerBusy();
    });
    try {
      if (closed) throw new IndexerBusy();
      const found: Found = await threads.run({ text, notation }, { signal });
      return { text, ...found };
    } catch (error) {
      // Its time may have gone with that of others, or with ours.
      if (closed || (hadToWait && signal.aborted)) throw new IndexerBusy();
      throw new NotIndexable(error);
    } finally {
      underWay -= 1;
      room.look();
    }
  }

  return {
    async index(text, party, notation) {
      if (Buffer.byteLength(text) > AT_ONCE_BYTES) return inThread(text, party, notation);
      try {
        return indexText(text, notation);
      } catch (error) {
        throw new NotIndexable(error);
      }
    },
    async close() {
      closed = true;
      await (await pool)?.destroy();
    },
  };
}

/** The pool, and what it is made with, is loaded for the first long text. */
async function openPool(log: Log): Promise<Piscina> {
  const { Piscina } = await import('piscina');
  const threads = new Piscina({
    filename,
    name: 'indexLongText',
    minThreads: 0,
    maxThreads: THREADS,
    idleTimeout: IDLE_MS,
    concurrentTasksPerWorker: 1,
  });
  // A thread that dies between two texts fails none; without a listener it would end the process.
  threads.on('error', (error: unknown) => log.warn({ err: error }, 'an indexing thread died'));
  return threads;
}
