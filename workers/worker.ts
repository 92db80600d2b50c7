import { ownerOf } from '../core/fairness/owner.js';
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
import { crawlPage } from './crawl/crawl-page.task.js';
import type { CrawlSettings } from './crawl/crawl-settings.js';
import { createCrawler } from './crawl/crawler.js';
import { readSitemap } from './crawl/read-sitemap.task.js';
import { embedTexts } from './embed/embed.task.js';
import { parseFile } from './parse/parse-file.task.js';
import { createPools } from './threads/pools.js';
import { createWebhookSender, type WebhookSettings } from './webhooks/deliver-webhook.task.js';

export interface WorkerSettings {
  crawl: CrawlSettings;
  webhooks: WebhookSettings;
  workers: { threads: number; slots: number; taskTimeoutMs: number; threadMemoryMb: number };
  jobs: { stalledAfterSeconds: number; window: number };
}

export interface Worker {
  metrics: Pick<WorkerMetrics, 'print' | 'contentType'>;
  /** Health checks by name. */
  health(): Promise<Record<string, Health>>;
  /** Takes no more tasks; resolves when the running ones have ended. */
  stop(): Promise<void>;
}

/** Heartbeats per lease. */
const HEARTBEATS = 3;
/**
 * A worker must be able to take a full window of tasks alone, so that no task is queued after tasks of other agents:
 * only the worker can separate them. Simultaneous turns of several API processes may exceed the window slightly.
 */
const IN_HAND_FACTOR = 2;

/**
 * Starts a worker: takes tasks from the queue, runs them in threads and reports the results. It has no database
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
    /** Product version for metrics. */
    version: string;
    tracing?: Tracing | null;
    /** The process holds memory that it cannot free, and should be replaced. */
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
  // A page takes its slot together with its host permit.
  const crawler = createCrawler({ ...settings.crawl, slots: slotsFor('crawl_page') }, threads.of, log);
  const inHand = settings.jobs.window * IN_HAND_FACTOR;
  // Slots per type, so that pages waiting for slow sites do not delay files. A webhook delivery needs little more
  // than a socket, so each workspace may send one regardless of slow receivers.
  const slots = byTaskType((type) =>
    createSemaphore(slotsFor(type), { spare: type === 'deliver_webhook' ? inHand : 0, rule: mayTakeShare }),
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
      deliver_webhook: (message, signal) =>
        slots.deliver_webhook.run(ownerOf(message), signal, () => webhooks.deliver(message.payload, signal)),
      parse_file: (message, signal) => {
        const owner = ownerOf(message);
        const parse = () => parseFile(message.payload, { storage, threads: threads.of(owner) }, signal);
        return slots.parse_file.run(owner, signal, parse);
      },
      embed: (message, signal) =>
        slots.embed.run(ownerOf(message), signal, () => embedTexts(message, { storage, embedding }, signal)),
    },
    inHand,
    taskTimeoutMs: settings.workers.taskTimeoutMs,
    heartbeatMs: (settings.jobs.stalledAfterSeconds * 1000) / HEARTBEATS,
    workerName,
    metrics,
    // A queue that starts its workers carries only the tasks of the API that started this one.
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
