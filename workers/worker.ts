import { type Owner, ownerOf } from '../core/fairness/owner.js';
import { createSemaphore } from '../core/fairness/semaphore.js';
import { mayTakeShare } from '../core/fairness/shares.js';
import { ownTasks } from '../core/jobs/foreign-messages.js';
import { recentHealths } from '../core/observability/recent-health.js';
import { createWorkerMetrics, type WorkerMetrics } from '../core/observability/worker-metrics.js';
import type { Embedding } from '../core/ports/embedding.port.js';
import type { Health } from '../core/ports/health.js';
import type { Log } from '../core/ports/log.port.js';
import type { Queue } from '../core/ports/queue.port.js';
import type { Storage } from '../core/ports/storage.port.js';
import type { Tracing } from '../core/ports/tracing.port.js';
import { byTaskType, multipleOf, type TaskType, taskTypes } from '../core/tasks/task-types.js';
import { startConsumer } from './consume.js';
import { crawlPage, type RecogniseScan } from './crawl/crawl-page.task.js';
import type { CrawlSettings } from './crawl/crawl-settings.js';
import { createCrawler } from './crawl/crawler.js';
import { readSitePage } from './crawl/read-site-page.task.js';
import { readSitemap } from './crawl/read-sitemap.task.js';
import { embedTexts } from './embed/embed.task.js';
import { parseFile } from './parse/parse-file.task.js';
import { recognisePages } from './recognise/recognise-pages.task.js';
import { readRecognised } from './recognise/recognised-file.js';
import { createRecognition, type OcrSettings } from './recognise/recognition.js';
import { createPools } from './threads/pools.js';
import { createWebhookSender, type WebhookSettings } from './webhooks/deliver-webhook.task.js';

export interface WorkerSettings {
  crawl: CrawlSettings;
  webhooks: WebhookSettings;
  workers: { threads: number; slots: number; taskTimeoutMs: number; threadMemoryMb: number };
  ocr: OcrSettings;
  jobs: { stalledAfterSeconds: number; window: number };
}

export interface Worker {
  metrics: Pick<WorkerMetrics, 'print' | 'contentType'>;
  /** Health checks by name. */
  health(): Promise<Record<string, Health>>;
  /** Takes no further tasks. Resolves when the running tasks have ended. */
  stop(): Promise<void>;
}

/** Number of heartbeats per lease. */
const HEARTBEATS = 3;
/**
 * Tasks that a worker takes, as a multiple of the window. It must be able to take the whole window, because only the
 * worker, not the queue, serves agents fairly. Simultaneous turns of several API processes may exceed the window
 * slightly.
 */
const IN_HAND_FACTOR = 2;
/** Time for recognising a file, as a multiple of the timeout: two thirds of an attempt's time with its waits. */
const RECOGNITION_TIMEOUTS = 8;

/**
 * Starts a worker, which takes tasks from the queue, runs them in threads and reports the results. It has no database
 * connection.
 */
export async function startWorker(
  settings: WorkerSettings,
  {
    queue,
    storage,
    embedding,
    workerName,
    log,
    version,
    tracing = null,
    onMemoryKept = () => {},
  }: {
    queue: Queue;
    storage: Storage;
    embedding: Embedding;
    workerName: string;
    log: Log;
    /** Version of Cadre, for metrics. */
    version: string;
    tracing?: Tracing | null;
    /** Called if the process holds memory that it cannot free, so that it should be replaced. */
    onMemoryKept?: () => void;
  },
): Promise<Worker> {
  const threads = createPools(
    {
      threads: settings.workers.threads,
      threadMemoryMb: settings.workers.threadMemoryMb,
      timeoutMs: settings.workers.taskTimeoutMs,
      onMemoryKept,
    },
    log,
  );
  const metrics = createWorkerMetrics({ version, threadsBusy: threads.busy, health: () => health(), log });
  const slotsFor = (type: TaskType) => multipleOf(taskTypes[type].slots, settings.workers.slots);
  const inHand = settings.jobs.window * IN_HAND_FACTOR;
  // Each type has its own slots, so that pages of slow sites do not delay files. A webhook delivery needs little more
  // than a socket, so each workspace may always send one, even if other receivers are slow.
  const slots = byTaskType((type) =>
    createSemaphore(slotsFor(type), { spare: type === 'deliver_webhook' ? inHand : 0, rule: mayTakeShare }),
  );
  const recognition = createRecognition(settings.ocr);
  const budgetMs = RECOGNITION_TIMEOUTS * settings.workers.taskTimeoutMs;
  const recogniseFor = (owner: Owner): RecogniseScan | string => {
    if (recognition.problem !== null) return recognition.problem;
    const ofPage = { recognition, log, report: () => {}, budgetMs: settings.workers.taskTimeoutMs };
    return (file, signal) =>
      slots.recognise_pages.run(owner, signal, () =>
        readRecognised(file, { ...ofPage, threads: threads.of(owner) }, signal),
      );
  };
  // A page takes its slot together with the permit of its host, so the crawler limits the slots of pages.
  const crawler = createCrawler(
    { ...settings.crawl, slots: slotsFor('crawl_page') },
    threads.of,
    recogniseFor,
    log,
  );
  const webhooks = createWebhookSender(settings.crawl, settings.webhooks);
  const health = recentHealths({
    queue: () => queue.health(),
    storage: () => storage.health(),
  });
  const unsubscribe = await startConsumer({
    queue,
    storage,
    table: {
      crawl_page: (message, signal) => crawler.run(crawlPage, message.payload, ownerOf(message), signal),
      read_sitemap: (message, signal) => crawler.run(readSitemap, message.payload, ownerOf(message), signal),
      read_site_page: (message, signal) =>
        crawler.run(readSitePage, message.payload, ownerOf(message), signal),
      deliver_webhook: (message, signal) =>
        slots.deliver_webhook.run(ownerOf(message), signal, () => webhooks.deliver(message.payload, signal)),
      parse_file: (message, signal) => {
        const owner = ownerOf(message);
        const parse = () =>
          parseFile(message.payload, { storage, threads: threads.of(owner), recognition }, signal);
        return slots.parse_file.run(owner, signal, parse);
      },
      recognise_pages: (message, signal, report) => {
        const owner = ownerOf(message);
        const parts = { storage, threads: threads.of(owner), recognition, report, log };
        const recognise = () => recognisePages(message.payload, { ...parts, budgetMs }, signal);
        return slots.recognise_pages.run(owner, signal, recognise);
      },
      embed: (message, signal) =>
        slots.embed.run(ownerOf(message), signal, () => embedTexts(message, { storage, embedding }, signal)),
    },
    inHand,
    taskTimeoutMs: settings.workers.taskTimeoutMs,
    heartbeatMs: (settings.jobs.stalledAfterSeconds * 1000) / HEARTBEATS,
    workerName,
    metrics,
    // A queue without remote workers contains only tasks of the API that started this worker.
    ...(queue.capabilities.remoteWorkers
      ? {
          forOwn: (handler) =>
            ownTasks({ storage, queue, workerName, log, onForeign: metrics.foreignTask }, handler),
        }
      : {}),
    tracing,
    log,
  });
  return {
    metrics,
    health,
    async stop() {
      await unsubscribe();
      await crawler.close();
      await webhooks.close();
      await threads.close();
    },
  };
}
