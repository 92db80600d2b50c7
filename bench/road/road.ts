import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { v7 as uuidv7 } from 'uuid';
import { rabbitmq } from '../../adapters/rabbitmq/index.js';
import { openStore } from '../../adapters/sequelize/index.js';
import { type Agents, createAgents } from '../../core/actors/agent/agents.js';
import { emptyAgent } from '../../core/actors/agent/empty-agent.js';
import { createDirectory } from '../../core/actors/directory.js';
import { createDispatcher } from '../../core/jobs/dispatcher.js';
import { createInbox } from '../../core/jobs/inbox.js';
import { startSweeps } from '../../core/jobs/sweeper.js';
import { createSweeps } from '../../core/jobs/sweeps.js';
import { systemClock } from '../../core/ports/clock.port.js';
import { silentLog } from '../../core/ports/log.port.js';
import type { Queue } from '../../core/ports/queue.port.js';
import type { Storage } from '../../core/ports/storage.port.js';
import type { AgentState } from '../../core/ports/store/rows.js';
import type { Store } from '../../core/ports/store/store.port.js';
import { indexText } from '../../core/retrieval/index-text.js';
import { amqpUrl, freshPrefix } from '../../test/support/rabbitmq.js';
import { localRoad } from './local.js';

/** The job runtime of one API process over real parts; HTTP and pages are left out. */
export interface Road {
  store: Store;
  agents: Agents;
  newAgent(): Promise<string>;
  /** Gives the agent so many indexed pages. */
  fill(agentId: string, pages: number): Promise<void>;
  close(): Promise<void>;
}

export interface RoadOptions {
  databaseUrl: string;
  queue: 'local' | 'rabbitmq';
  windows: { ofAgent: number; ofAll: number };
}

const PIECE = 100;
const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url));

/** No object is ever written: results fit into their messages. */
const noStorage = { get: async () => null, delete: async () => {} } as unknown as Storage;

export async function openRoad({ databaseUrl, queue: kind, windows }: RoadOptions): Promise<Road> {
  const store = openStore({ url: databaseUrl, poolSize: 15, statementTimeoutMs: 15_000 });
  await store.migrate();
  const clock = systemClock;
  const log = silentLog;
  const leaseMs = 15_000;
  const { port: queue, stop: stopQueue } = kind === 'local' ? localRoad() : await brokerRoad();
  const dispatcher = createDispatcher({ queue, tasks: store.tasks, installation: 'bench', log });
  const directory = createDirectory<AgentState>({
    maxActive: 1000,
    idleMs: 60_000,
    mailboxCapacity: 1000,
    clock,
  });
  const agents = createAgents({
    directory,
    turns: store.turns,
    rules: {
      clock,
      entitlementsOf: () => ({
        limits: { agents: 10_000, storageBytes: 1e12 },
        features: { apiAccess: true, autoRetrain: true, videoTranscription: true, removeBranding: true },
        models: '*',
      }),
      window: windows.ofAgent,
      windowOfAll: windows.ofAll,
      maxAttempts: 3,
      backoff: { baseMs: 1000, maxMs: 10_000 },
      leaseMs,
      openUploadBytes: 1e12,
      random: Math.random,
    },
    dispatch: (messages) => dispatcher.dispatch(messages),
    log,
  });
  const inbox = createInbox({
    agents,
    tasks: store.tasks,
    uploads: store.uploads,
    storage: noStorage,
    indexer: { index: async (text) => indexText(text) },
    deliveries: async () => {},
    clock,
    leaseMs,
    log,
  });
  const unsubscribe = await queue.onEvent(inbox);
  const sweeper = startSweeps(
    createSweeps({
      store,
      agents,
      dispatcher,
      queue,
      storage: noStorage,
      clock,
      log,
      leaseMs,
      windows,
      retrainIntervalSeconds: 86_400,
      keepJobsDays: null,
      uploadsAbandonedAfterSeconds: 86_400,
      installation: 'bench',
    }),
    log,
  );
  const workspaceId = uuidv7();
  await store.workspaces.create({
    id: workspaceId,
    name: 'b',
    plan: 'business',
    overrides: {},
    createdAt: 1,
  });

  return {
    store,
    agents,
    async newAgent() {
      const id = uuidv7();
      const agent = emptyAgent({ id, workspaceId, name: 'bench', url: null, createdAt: 1 });
      await store.turns.create(agent, () => 10_000);
      return id;
    },
    async fill(agentId, pages) {
      for (let from = 0; from < pages; from += PIECE)
        await store.turns.run(agentId, null, async (turn) => {
          for (let n = from; n < Math.min(pages, from + PIECE); n += 1)
            await turn.documents.insert(
              {
                id: uuidv7(),
                agentId,
                workspaceId,
                sourceType: 'web_crawl',
                title: 'Page',
                bytes: 9,
                url: `https://bench.example/${n}`,
                storagePath: null,
                contentHash: `hash ${n}`,
                metadata: { etag: `"${n}"` },
                createdAt: 1,
                lastCrawledAt: 1,
              },
              { text: 'One line.', chunks: [], segment: new Uint8Array([0]) },
            );
        });
    },
    async close() {
      await sweeper.stop();
      await dispatcher.close();
      await unsubscribe();
      await directory.stop();
      await stopQueue();
      await store.close();
    },
  };
}

/** Over a broker, with a worker in a process of its own. */
async function brokerRoad(): Promise<{ port: Queue; stop(): Promise<unknown> }> {
  const prefix = freshPrefix();
  const { port, stop } = await rabbitmq.start({
    options: { url: amqpUrl, prefix },
    log: silentLog,
    role: 'api',
    dataDir: '.',
    maxUploadBytes: 1,
    maxDeliveries: 3,
    secret: new Uint8Array(),
    processName: 'bench-api',
    now: () => Date.now(),
  });
  const worker = fork(WORKER, [amqpUrl, prefix], { execArgv: ['--import=tsx'] });
  await once(worker, 'message');
  return {
    port,
    async stop() {
      worker.send('stop');
      await once(worker, 'exit');
      await stop({ deadlineMs: 1000 });
      const { deleteQueues } = await import('../../test/support/rabbitmq.js');
      await deleteQueues(prefix);
    },
  };
}
