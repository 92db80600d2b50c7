import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { rabbitmq } from '../../adapters/rabbitmq/index.js';
import { silentLog } from '../../core/ports/log.port.js';
import { type TaskEvent, type TaskMessage, WIRE_VERSION } from '../../core/tasks/wire.js';
import { startProcess } from '../../test/real/cadre-process.js';
import { deleteQueues } from '../../test/support/rabbitmq.js';
import { engines, type Installation } from './installation.js';

/** A worker process and its queue, with no API and no database behind them. */
export interface LoneWorker {
  /** Seconds until all these pages have been read. */
  read(urls: readonly string[]): Promise<number>;
  stop(): Promise<void>;
}

export async function startLoneWorker({ name, env }: Installation): Promise<LoneWorker> {
  const prefix = `${name}-alone`;
  const { port, stop } = await rabbitmq.start({
    options: { url: engines.AMQP_URL, prefix },
    log: silentLog,
    role: 'api',
    dataDir: env.DATA_DIR as string,
    maxUploadBytes: 1,
    maxDeliveries: 3,
    secret: new Uint8Array(),
    processName: 'bench',
    now: () => Date.now(),
  });
  const { DATABASE_URL: _, ...ofWorker } = env;
  const worker = await startProcess('worker', {
    ...ofWorker,
    ROLES: 'worker',
    LOG_LEVEL: 'info',
    DATA_DIR: join(env.DATA_DIR as string, 'alone'),
    CADRE_PLUGINS_QUEUE_OPTIONS: JSON.stringify({ prefix }),
  });
  const open = new Map<string, (event: TaskEvent) => void>();
  /** What was read of each page: a retrain tells the worker, too. */
  const known = new Map<string, string>();
  const unsubscribe = await port.onEvent(async (event) => {
    if (event.kind !== 'started' && event.kind !== 'alive') open.get(event.taskId)?.(event);
  });

  const knownOf = (url: string) => {
    const contentHash = known.get(url);
    return contentHash === undefined ? {} : { known: { contentHash } };
  };

  return {
    async read(urls) {
      const began = performance.now();
      const ended = urls.map((url) => {
        const message: TaskMessage = {
          v: WIRE_VERSION,
          taskId: uuidv7(),
          jobId: 1,
          agentId: name,
          workspaceId: name,
          attempt: 1,
          type: 'crawl_page',
          payload: { url, ...knownOf(url) },
          requestId: null,
        };
        const end = new Promise<void>((resolve, reject) => {
          open.set(message.taskId, (event) => {
            open.delete(message.taskId);
            if (event.kind !== 'succeeded') return reject(new Error(`the worker could not read ${url}`));
            if ('contentHash' in event.outcome && event.outcome.contentHash !== undefined)
              known.set(url, event.outcome.contentHash);
            resolve();
          });
        });
        return { message, end };
      });
      const taken = await port.publish(ended.map(({ message }) => message));
      if (taken.includes(false)) throw new Error('the queue did not take all pages');
      await Promise.all(ended.map(({ end }) => end));
      return (performance.now() - began) / 1000;
    },
    async stop() {
      await worker.stop();
      await unsubscribe();
      await stop({ deadlineMs: 1000 });
      await deleteQueues(prefix, engines.AMQP_URL);
    },
  };
}
