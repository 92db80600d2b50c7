import { type Indexer, IndexerBusy, NotIndexable } from '../../core/ports/indexer.port.js';
import type { Log } from '../../core/ports/log.port.js';
import { indexText } from '../../core/retrieval/index-text.js';
import { fairThreads, ThreadsBusy } from './fair-threads.js';
import type { indexLongText } from './index.thread.js';

/** Maximum size of a text that is indexed without a thread, which is faster (about 3 ms). */
const AT_ONCE_BYTES = 32 * 1024;
/** Two threads, so that a long text does not delay a short one. */
const THREADS = 2;
/** The longest possible text takes a tenth of this time. */
const LIMIT_MS = 60_000;

type Task = Parameters<typeof indexLongText>[0];
type Found = ReturnType<typeof indexLongText>;

export interface IndexThreads extends Indexer {
  close(): Promise<void>;
}

/**
 * Returns an indexer that indexes long texts in threads. `limitMs` is the timeout of a long text, and also of its
 * time in the queue.
 */
export function startIndexThreads(log: Log, limitMs = LIMIT_MS): IndexThreads {
  const threads = fairThreads<Task, Found>({
    module: 'index.thread',
    name: 'indexLongText',
    threads: THREADS,
    limitMs,
    log,
  });

  return {
    async index(text, owner, notation) {
      try {
        if (Buffer.byteLength(text) <= AT_ONCE_BYTES) return indexText(text, notation);
        return { text, ...(await threads.run({ text, ...(notation && { notation }) }, owner)) };
      } catch (error) {
        throw error instanceof ThreadsBusy ? new IndexerBusy() : new NotIndexable(error);
      }
    },
    close: () => threads.close(),
  };
}
