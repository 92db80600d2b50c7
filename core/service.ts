import type { RequestListener } from 'node:http';
import { createAgents } from './actors/agent/agents.js';
import { createDirectory } from './actors/directory.js';
import { createApp } from './http/app.js';
import { createAuthenticator } from './http/authenticate.js';
import { createCursors } from './http/cursor.js';
import { operations } from './http/health/operations.js';
import { createListener } from './http/listener.js';
import { createDispatcher } from './jobs/dispatcher.js';
import { createInbox } from './jobs/inbox.js';
import { startSweeps } from './jobs/sweeper.js';
import { createSweeps } from './jobs/sweeps.js';
import { createMetrics } from './observability/metrics.js';
import type { Clock } from './ports/clock.port.js';
import type { Log } from './ports/log.port.js';
import type { Queue } from './ports/queue.port.js';
import type { Storage } from './ports/storage.port.js';
import type { AgentState, Store, Workspace } from './ports/store.port.js';
import { entitlements, type Plan } from './workspaces/entitlements.js';

/** The part of the settings that the API process lives by. */
export interface ServiceSettings {
  http: { publicUrl: string | null; requestTimeoutMs: number };
  uploads: { urlTtlSeconds: number; abandonedAfterSeconds: number };
  retrain: { intervalSeconds: number };
  jobs: {
    maxAttempts: number;
    backoffBaseMs: number;
    backoffMaxMs: number;
    stalledAfterSeconds: number;
    windowPerAgent: number;
  };
  actors: { maxActive: number; idleSeconds: number; mailboxCapacity: number };
  auth: { cacheTtlSeconds: number };
}

export interface ServiceParts {
  settings: ServiceSettings;
  plans: ReadonlyMap<string, Plan>;
  store: Store;
  storage: Storage;
  queue: Queue;
  clock: Clock;
  log: Log;
  /** The installation's secret. */
  secret: Uint8Array;
  /** Tests: every answer is held against its schema. */
  checkResponses?: boolean;
}

export interface Service {
  listener: RequestListener;
  /** From now on `/readyz` fails. */
  refuse(): void;
  /** Starts no more work of its own; still hears how running tasks end. */
  quiesce(): Promise<void>;
  /** Takes no more turns and hears no more events; resolves when those that run have ended. */
  stop(): Promise<void>;
}

const USAGE_FLUSH_MS = 15_000;

/** Puts the API side together from its ports, and sets the job runtime going. */
export async function startService(parts: ServiceParts): Promise<Service> {
  const { settings, plans, store, storage, queue, clock, log } = parts;
  const leaseMs = settings.jobs.stalledAfterSeconds * 1000;
  const entitlementsOf = (workspace: Workspace) =>
    entitlements(plans.get(workspace.plan) ?? NO_PLAN, workspace.overrides);
  let accepting = true;

  const directory = createDirectory<AgentState>({
    maxActive: settings.actors.maxActive,
    idleMs: settings.actors.idleSeconds * 1000,
    mailboxCapacity: settings.actors.mailboxCapacity,
    clock,
  });
  const metrics = createMetrics({ operations: store.operations, queue, activeActors: () => directory.size });
  const dispatcher = createDispatcher({ queue, tasks: store.tasks, log });
  const agents = createAgents({
    directory,
    turns: store.turns,
    rules: {
      clock,
      entitlementsOf,
      window: settings.jobs.windowPerAgent,
      maxAttempts: settings.jobs.maxAttempts,
      backoff: { baseMs: settings.jobs.backoffBaseMs, maxMs: settings.jobs.backoffMaxMs },
      leaseMs,
      random: Math.random,
    },
    dispatch: (messages) => dispatcher.dispatch(messages),
    onTurn: metrics.turn,
    log,
  });
  const authenticator = createAuthenticator({
    workspaces: store.workspaces,
    entitlementsOf,
    cacheTtlSeconds: settings.auth.cacheTtlSeconds,
    clock,
    log,
  });
  const app = createApp({
    services: {
      reads: store.reads,
      turns: store.turns,
      workspaces: store.workspaces,
      entitlementsOf,
      agents,
      storage,
      cursors: createCursors(parts.secret),
      clock,
      uploadTtlSeconds: settings.uploads.urlTtlSeconds,
    },
    authenticator,
    operations: operations({
      checks: {
        database: () => store.health(),
        queue: () => queue.health(),
        storage: () => storage.health(),
      },
      accepting: () => accepting,
      metrics,
    }),
    onAnswer: metrics.request,
    publicUrl: settings.http.publicUrl,
    bodyTimeoutMs: settings.http.requestTimeoutMs,
    log,
    ...(parts.checkResponses ? { checkResponses: true } : {}),
  });

  const inbox = createInbox({
    agents,
    tasks: store.tasks,
    uploads: store.uploads,
    storage,
    clock,
    leaseMs,
    log,
  });
  const unsubscribe = await queue.onEvent((event) => {
    metrics.event(event.kind);
    return inbox(event);
  });
  if (!queue.capabilities.durable) {
    const open = await store.tasks.forgetPublished();
    if (open > 0) log.info({ open }, 'tasks that were under way go on');
  }
  const sweeper = startSweeps(
    [
      ...createSweeps({
        store,
        agents,
        dispatcher,
        queue,
        storage,
        clock,
        log,
        leaseMs,
        retrainIntervalSeconds: settings.retrain.intervalSeconds,
        uploadsAbandonedAfterSeconds: settings.uploads.abandonedAfterSeconds,
      }),
      {
        name: 'idle-actors',
        everyMs: Math.min(10_000, settings.actors.idleSeconds * 500),
        async run() {
          directory.passivateIdle();
          return false;
        },
      },
      {
        name: 'key-usage',
        everyMs: USAGE_FLUSH_MS,
        async run() {
          await authenticator.flushUsage();
          return false;
        },
      },
    ],
    log,
  );

  return {
    listener: createListener(app, storage),
    refuse() {
      accepting = false;
    },
    async quiesce() {
      await sweeper.stop();
      await dispatcher.close();
    },
    async stop() {
      await unsubscribe();
      await directory.stop();
      await authenticator.flushUsage();
    },
  };
}

/** For a workspace on a plan that was taken out of the configuration: it keeps its data and may do nothing. */
const NO_PLAN: Plan = {
  name: 'none',
  limits: { agents: 0, storageBytes: 0 },
  features: { apiAccess: false, autoRetrain: false, videoTranscription: false, removeBranding: false },
  models: [],
};
