import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesystem } from '../../../adapters/filesystem/index.js';
import { noEmbedding } from '../../../adapters/no-embedding/index.js';
import { loadSettings } from '../../../config/load-settings.js';
import { silentLog } from '../../../core/ports/log.port.js';
import { type TaskMessage, WIRE_VERSION } from '../../../core/tasks/wire.js';
import { startWorker } from '../../../workers/worker.js';
import { benchQueue } from './bench-queue.js';

/** The whole worker with its default settings: robots.txt, politeness, fetch, threads, chunks, claim check. */
const dataDir = mkdtempSync(join(tmpdir(), 'cadre-bench-'));
process.on('exit', () => rmSync(dataDir, { recursive: true, force: true }));
const queue = benchQueue();
let worker: Promise<unknown> | null = null;

async function start(origin: string, hosts: string[]): Promise<void> {
  const settings = loadSettings({ env: {}, cwd: dataDir });
  const context = {
    options: {},
    dataDir,
    role: 'worker' as const,
    log: silentLog,
    secret: new Uint8Array(),
    maxUploadBytes: settings.uploads.maxBytes,
    maxDeliveries: settings.jobs.maxDeliveries,
    processName: 'bench',
    now: () => Date.now(),
  };
  const storage = await filesystem.start(context);
  const embedding = await noEmbedding.start(context);
  await startWorker(
    {
      crawl: { ...settings.crawl, resolve: Object.fromEntries(hosts.map((host) => [host, origin])) },
      webhooks: settings.webhooks,
      jobs: settings.jobs,
      workers: { ...settings.workers, threads: settings.workers.threads ?? availableParallelism() },
    },
    {
      queue: queue.port,
      storage: storage.port,
      embedding: embedding.port,
      workerName: 'bench',
      log: silentLog,
      version: '0.0.0',
    },
  );
}

/** Every first path segment becomes a host of its own. */
const publicUrl = (url: URL): URL => new URL(url.pathname, `https://${url.pathname.split('/')[1]}.example`);

export async function round(items: string[]): Promise<number> {
  const urls = items.map((item) => new URL(item));
  const asked = urls.map(publicUrl);
  worker ??= start(urls[0]?.origin ?? '', [...new Set(asked.map(({ origin }) => origin))]);
  await worker;
  const messages = asked.map(
    ({ href }, n): TaskMessage => ({
      v: WIRE_VERSION,
      taskId: `task-${n}`,
      jobId: 1,
      agentId: 'bench',
      attempt: 1,
      type: 'crawl_page',
      payload: { url: href },
      requestId: null,
    }),
  );
  const ends = await queue.runAll(messages);
  return ends.filter(({ kind }) => kind === 'succeeded').length;
}
