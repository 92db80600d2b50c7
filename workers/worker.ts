import type { Log } from '../core/ports/log.port.js';
import type { Queue } from '../core/ports/queue.port.js';
import type { Storage } from '../core/ports/storage.port.js';
import { startConsumer } from './consume.js';
import type { CrawlSettings } from './crawl/crawl-settings.js';
import { createCrawler } from './crawl/crawler.js';
import { createPools } from './extract/pools.js';
import { parseFile } from './parse/parse-file.task.js';

export interface WorkerSettings {
  crawl: CrawlSettings;
  workers: { threads: number; slots: number; taskTimeoutMs: number; threadMemoryMb: number };
  jobs: { stalledAfterSeconds: number };
}

export interface Worker {
  /** Takes no more tasks; resolves when those that run have ended. */
  stop(): Promise<void>;
}

/** Signs of life within one lease. */
const HEARTBEATS = 3;

/** A worker: takes tasks from the queue, works on them in threads, tells how they ended. It knows no database. */
export async function startWorker(
  settings: WorkerSettings,
  {
    queue,
    storage,
    workerName,
    log,
    onWorn = () => {},
  }: {
    queue: Queue;
    storage: Storage;
    workerName: string;
    log: Log;
    /** This process should make way for a fresh one: it holds memory that it cannot give back. */
    onWorn?: () => void;
  },
): Promise<Worker> {
  const threads = createPools(
    {
      threads: settings.workers.threads,
      threadMemoryMb: settings.workers.threadMemoryMb,
      timeoutMs: settings.workers.taskTimeoutMs,
      onWorn,
    },
    log,
  );
  const crawler = createCrawler(settings.crawl, threads, log);
  const unsubscribe = await startConsumer({
    queue,
    storage,
    table: {
      crawl_page: ({ payload }, signal) => crawler.crawl(payload, signal),
      parse_file: ({ payload }, signal) => parseFile(payload, { storage, threads }, signal),
    },
    slots: settings.workers.slots,
    taskTimeoutMs: settings.workers.taskTimeoutMs,
    heartbeatMs: (settings.jobs.stalledAfterSeconds * 1000) / HEARTBEATS,
    workerName,
    log,
  });
  return {
    async stop() {
      await unsubscribe();
      await crawler.close();
      await threads.close();
    },
  };
}
