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
import { byTaskType, type TaskType, timesFor } from '../core/tasks/task-types.js';
import { startConsumer } from './consume.js';
import type { CrawlSettings } from './crawl/crawl-settings.js';
import { createCrawler } from './crawl/crawler.js';
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
  /** Results of the health checks, by name. */
  health(): Promise<Record<string, Health>>;
  /** Takes no more tasks; resolves when those that run have ended. */
  stop(): Promise<void>;
}

/** Signs of life within one lease. */
const HEARTBEATS = 3;
/**
 * A worker takes all that is under way, if nobody else does, so that no task waits in the queue behind those
 * of others: only here can they be told apart. Simultaneous turns of several API processes may let a few more
 * in than the window has.
 */
const IN_HAND_FACTOR = 2;

/** A worker: takes tasks from the queue, works on them in threads, tells how they ended. It knows no database. */
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
    /** Of this product, for its metrics. */
    version: string;
    tracing?: Tracing | null;
    /** This process should make way for a fresh one: it holds memory that it cannot give back. */
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
  const slotsFor = (type: TaskType) => timesFor(type, 'slots', settings.workers.slots);
  // A page gets its slot together with its host.
  const crawler = createCrawler({ ...settings.crawl, slots: slotsFor('crawl_page') }, threads.of, log);
  const inHand = settings.jobs.window * IN_HAND_FACTOR;
  // Each type has slots of its own: however many pages wait for slow sites, a file does not. A message to a webhook
  // takes a socket and little else, so every workspace may send one, however many wait for slow receivers.
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
      crawl_page: (message, signal) => crawler.crawl(message.payload, ownerOf(message), signal),
      read_sitemap: (message, signal) => crawler.readSitemap(message.payload, ownerOf(message), signal),
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
    // The tasks of a queue that starts its workers are all of the API that started this one.
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
