import type { RequestListener } from 'node:http';
import { createAgents } from './actors/agent/agents.js';
import { allSweeps } from './all-sweeps.js';
import { type AnsweringSettings, createAnswering } from './answering.js';
import { createSocial, type SocialSettings } from './channels/social.js';
import type { Answerer } from './chat/answerer.js';
import { createEvaluations } from './evaluations/evaluations.js';
import { logRequests } from './http/access-log.js';
import { createApp } from './http/app.js';
import { createAuthenticator } from './http/authenticate.js';
import { createCallers } from './http/callers.js';
import { createClientNetworks } from './http/client-networks.js';
import { crossOrigin } from './http/cross-origin.js';
import { createCursors } from './http/cursor.js';
import { type Operational, operations } from './http/health/operations.js';
import { portChecks } from './http/health/port-checks.js';
import { createListener } from './http/listener.js';
import { createMemoryBudget } from './http/memory-budget.js';
import { createModelTestRate } from './http/models/test-rate.js';
import { createOrigins } from './http/origins.js';
import type { PageFiles } from './http/web-page.js';
import { createTokenRate } from './http/widget/token-rate.js';
import { createVisitorCallers } from './http/widget/visitor-callers.js';
import { createVisitorOrigins } from './http/widget/visitor-origins.js';
import { createVisitorPlaces } from './http/widget/visitor-places.js';
import { createWidgetAccess, type WidgetSettings } from './http/widget/widget-access.js';
import { createDispatcher } from './jobs/dispatcher.js';
import { ownEvents } from './jobs/foreign-messages.js';
import { createInbox } from './jobs/inbox.js';
import { createJobWaits } from './jobs/job-waits.js';
import { startSweeps } from './jobs/sweeper.js';
import { measured } from './observability/measured-retrieval.js';
import { createMetrics } from './observability/metrics.js';
import { recentHealths } from './observability/recent-health.js';
import { type Clock, seconds } from './ports/clock.port.js';
import type { Indexer } from './ports/indexer.port.js';
import type { Judge } from './ports/judge.port.js';
import type { Log } from './ports/log.port.js';
import type { Mcp } from './ports/mcp.port.js';
import type { Ports } from './ports/plugin.port.js';
import type { Store } from './ports/store/store.port.js';
import type { ToolSchemas } from './ports/tool-schemas.port.js';
import type { Tracing } from './ports/tracing.port.js';
import { embeddedModel } from './retrieval/embedded-model.js';
import { fedSearch } from './retrieval/feed/fed-search.js';
import { createFeeding } from './retrieval/feed/feeding.js';
import { createKeyring } from './secrets/keyring.js';
import { createDeliveries } from './webhooks/deliveries.js';
import { entitlementsUnder, type Plan } from './workspaces/entitlements.js';
import { checkStorageClaim } from './workspaces/installation-claim.js';
import { installationId } from './workspaces/installation-id.js';

/** Settings of an API process. */
export interface ServiceSettings extends AnsweringSettings {
  http: {
    publicUrl: string | null;
    allowedHosts: string[];
    allowedOrigins: string[];
    trustedProxies: string[];
    requestTimeoutMs: number;
    bodyMemoryMb: number;
    requestsPerWorkspace: number;
    maxConnections: number;
  };
  widget: WidgetSettings;
  secrets: { key: string | null; previousKeys: string[] };
  operations: { port: number | null };
  log: { requests: boolean };
  uploads: { urlTtlSeconds: number; abandonedAfterSeconds: number; maxBytes: number; openBytes: number };
  retrain: { intervalSeconds: number };
  webhooks: { disableAfterHours: number; keepDays: number | null; allowPrivateAddresses: boolean };
  jobs: {
    keepDays: number | null;
    maxAttempts: number;
    backoffBaseMs: number;
    backoffMaxMs: number;
    stalledAfterSeconds: number;
    windowPerAgent: number;
    window: number;
  };
  actors: { maxActive: number; idleSeconds: number; mailboxCapacity: number };
  auth: { cacheTtlSeconds: number };
  retrieval: AnsweringSettings['retrieval'] & { maxVectorChunks: number };
  channels: SocialSettings;
  chat: AnsweringSettings['chat'] & { keepAliveMs: number; endedAfterSeconds: number };
}

export interface ServiceParts {
  settings: ServiceSettings;
  plans: ReadonlyMap<string, Plan>;
  store: Store;
  ports: Ports;
  indexer: Indexer;
  toolSchemas: ToolSchemas;
  judge: Judge;
  /** The Model Context Protocol at `/mcp`, if any. */
  mcp?: Mcp | null;
  /** The web console at `/console`, if any. */
  consoleFiles?: PageFiles | null;
  /** The API reference at `/docs`, if any. */
  referenceFiles?: PageFiles | null;
  /** The pages of the widget, if it was built. */
  widgetFiles?: PageFiles | null;
  /** Tests: replaces the answerer that is built from the ports. */
  answerer?: Answerer;
  clock: Clock;
  log: Log;
  /** Without it, nothing is traced. */
  tracing?: Tracing | null;
  /** Product version, for the metrics. */
  version: string;
  /** The installation's secret. */
  secret: Uint8Array;
  /** Tests: validates every response against its schema. */
  checkResponses?: boolean;
}

export interface Service {
  listener: RequestListener;
  /** For a separate port, if `operations.port` is set. */
  operational: Operational;
  /** From now on, `/readyz` returns 503 and every response closes its connection. Requests are still served. */
  drain(): void;
  /**
   * Ends long polls, then waits for the answers in progress. At the deadline, they fail with the text that they
   * have.
   */
  endAnswers(deadlineMs: number): Promise<void>;
  /** Starts no more work, but still processes the results of running tasks. */
  quiesce(): Promise<void>;
  /** Stops turns and events; resolves when the running ones have ended. */
  stop(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const MIB = 1_048_576;
/** Time for the last turns of interrupted answers. */
const SETTLE_MS = 1000;

/**
 * Number of an agent's events that justify a turn: half of its tasks in flight, so that the other half keeps the
 * workers busy. A window for all agents that is small limits it further.
 */
const enoughTogether = ({ jobs, actors }: ServiceSettings): number =>
  Math.min(Math.ceil(Math.min(jobs.windowPerAgent, jobs.window / 3) / 2), actors.mailboxCapacity);

/** Builds the API process from its ports and starts the job runtime. */
export async function startService(parts: ServiceParts): Promise<Service> {
  const { settings, plans, store, ports, indexer, clock, log, tracing = null } = parts;
  const { storage, queue } = ports;
  const leaseMs = settings.jobs.stalledAfterSeconds * 1000;
  const entitlementsOf = entitlementsUnder(plans);
  let accepting = true;

  const { feed } = ports.retrieval;
  const feeding =
    feed && createFeeding({ retrieval: ports.retrieval, feed, reads: store.knowledge, clock, log });
  const embedded = embeddedModel(ports, log);
  const memory = createMemoryBudget(settings.http.bodyMemoryMb * MIB);
  const metrics = createMetrics({
    version: parts.version,
    operations: store.operations,
    queue,
    activeActors: () => agents.directory.size,
    waitingMessages: () => agents.directory.messages,
    connections: () => store.operations.connections(),
    now: () => clock.now(),
    heldBytes: () => memory.held,
    toIndex: () => store.indexing.left(),
    toEmbed: async () => (embedded === null ? 0 : (await store.vectors.left(embedded.space)).documents),
    conversationBytes: () => store.conversations.reads.storedBytes(null),
    indexBytes: () => ports.retrieval.memory?.() ?? 0,
    engineLag: () => feeding?.lag() ?? null,
    answersUnderWay: () => conversations.answers.size,
    oldestEventMs: async () => (ports.channel.isConfigured ? store.channelFlow.oldestWaiting() : null),
    health: () => health(),
    log,
  });
  const installation = installationId(parts.secret);
  const dispatcher = createDispatcher({ queue, tasks: store.tasks, installation, tracing, log });
  const agents = createAgents({
    actors: {
      maxActive: settings.actors.maxActive,
      idleMs: settings.actors.idleSeconds * 1000,
      mailboxCapacity: settings.actors.mailboxCapacity,
      enoughTogether: enoughTogether(settings),
      clock,
      onPassivate: (_, reason) => metrics.passivation(reason),
    },
    turns: store.turns,
    rules: {
      clock,
      entitlementsOf,
      window: settings.jobs.windowPerAgent,
      windowOfAll: settings.jobs.window,
      maxAttempts: settings.jobs.maxAttempts,
      backoff: { baseMs: settings.jobs.backoffBaseMs, maxMs: settings.jobs.backoffMaxMs },
      leaseMs,
      openUploadBytes: settings.uploads.openBytes,
      random: Math.random,
    },
    dispatch: (messages) => dispatcher.dispatch(messages),
    onTurn: metrics.turn,
    onEvent: metrics.jobs.observe,
    tracing,
    log,
  });
  const authenticator = createAuthenticator({
    workspaces: store.workspaces,
    entitlementsOf,
    cacheTtlSeconds: settings.auth.cacheTtlSeconds,
    clock,
    log,
  });
  const originOf = createOrigins(settings.http);
  const keyring = createKeyring({ ...settings.secrets, installation: parts.secret });
  const { visitors } = store;
  const widget = createWidgetAccess({ settings, visitors, entitlementsOf, originOf, keyring, clock });
  const networkOf = createClientNetworks({
    trustedProxies: settings.http.trustedProxies,
    onIgnored: () =>
      void store.visitors.noteIgnoredHeader(seconds(clock.now())).catch((error: unknown) => {
        log.debug({ err: error }, 'the ignored header could not be noted for doctor');
      }),
    log,
  });
  const visitorCallers = createVisitorCallers({ widget, clock });
  const engine = measured(ports.retrieval, metrics);
  const nearest = ports.retrieval.nearest?.bind(ports.retrieval);
  const { search, conversations, answerer } = createAnswering({
    store,
    toolSchemas: parts.toolSchemas,
    ports: {
      model: ports.model,
      embedding: ports.embedding,
      retrieval: {
        ...(feeding ? fedSearch(engine, feeding) : engine),
        ...(nearest ? { nearest } : {}),
      },
    },
    settings,
    clock,
    metrics,
    log,
    ...(parts.answerer ? { answerer: parts.answerer } : {}),
  });
  const social = createSocial({
    settings: settings.channels,
    channel: ports.channel,
    channels: store.channels,
    flow: store.channelFlow,
    agents,
    conversations,
    store: store.conversations,
    reads: store.reads,
    workspaces: store.workspaces,
    entitlementsOf,
    metrics: metrics.social,
    keyring,
    clock,
    log,
  });
  const evaluations = createEvaluations({
    store: store.evaluations,
    answerer,
    judge: parts.judge,
    reads: store.reads,
    workspaces: store.workspaces,
    entitlementsOf,
    deadlineMs: settings.chat.deadlineMs,
    clock,
    log,
  });
  const health = recentHealths({
    database: () => store.health(),
    ...portChecks(ports, feeding),
    installation: () => checkStorageClaim(storage, installation),
  });
  const operational: Operational = { health, essential: 'database', accepting: () => accepting, metrics };
  const waits = createJobWaits(store.reads, log);
  const app = createApp({
    services: {
      waits,
      conversations,
      conversationReads: store.conversations.reads,
      statistics: store.conversations.statistics,
      questions: store.questions,
      evaluations: store.evaluations,
      evaluationRounds: evaluations,
      chat: settings.chat,
      reads: store.reads,
      turns: store.turns,
      workspaces: store.workspaces,
      entitlementsOf,
      agents,
      storage,
      indexer,
      toolSchemas: parts.toolSchemas,
      search,
      models: {
        port: ports.model,
        defaultModel: settings.models.default,
        countTest: createModelTestRate(store.recentEvents),
      },
      responses: store.responses,
      webhooks: store.webhooks,
      allowPrivateWebhooks: settings.webhooks.allowPrivateAddresses,
      widget,
      agentSecrets: store.agentSecrets,
      visitors: store.visitors,
      keyring,
      social,
      channels: store.channels,
      channelFlow: store.channelFlow,
      cursors: createCursors(parts.secret),
      clock,
      log,
      uploadTtlSeconds: settings.uploads.urlTtlSeconds,
      maxUploadBytes: settings.uploads.maxBytes,
    },
    callers: createCallers(authenticator, visitorCallers),
    requestsPerWorkspace: settings.http.requestsPerWorkspace,
    operations: operations({
      ...operational,
      metrics: settings.operations.port === null ? metrics : null,
    }),
    publicUrl: settings.http.publicUrl,
    retrainSeconds: settings.retrain.intervalSeconds,
    consoleFiles: parts.consoleFiles ?? null,
    referenceFiles: parts.referenceFiles ?? null,
    widget: widget && {
      files: parts.widgetFiles ?? new Map(),
      publicUrl: settings.widget.publicUrl,
      issuing: {
        ...widget,
        agentSecrets: store.agentSecrets,
        keyring,
        networkOf,
        countToken: createTokenRate(),
        memory,
        bodyTimeoutMs: settings.http.requestTimeoutMs,
        clock,
      },
    },
    mcp: parts.mcp ?? null,
    allowedOrigins: settings.http.allowedOrigins,
    onAnswer: metrics.request,
    tracing,
    originOf,
    networkOf,
    visitorPlaces: createVisitorPlaces(settings.http.maxConnections),
    memory,
    bodyTimeoutMs: settings.http.requestTimeoutMs,
    log,
    ...(parts.checkResponses ? { checkResponses: true } : {}),
  });

  const deliveries = createDeliveries({
    webhooks: store.webhooks,
    queue,
    installation,
    clock,
    window: settings.jobs.window,
    leaseMs,
    disableAfterMs: settings.webhooks.disableAfterHours * HOUR_MS,
    keepDays: settings.webhooks.keepDays,
    random: Math.random,
    onOutcome: metrics.webhook,
    log,
  });
  const inbox = createInbox({
    deliveries: (event) => deliveries.receive(event),
    agents,
    tasks: store.tasks,
    uploads: store.uploads,
    storage,
    indexer,
    clock,
    leaseMs,
    tracing,
    log,
  });
  const unsubscribe = await queue.onEvent(
    ownEvents(installation, { log, onForeign: metrics.jobs.foreignEvent }, (event) => {
      metrics.jobs.event(event);
      return inbox(event);
    }),
  );
  if (!queue.capabilities.durable) {
    const open = await store.tasks.forgetPublished();
    await store.webhooks.forgetSending();
    if (open > 0) log.info({ open }, 'resuming tasks that were in progress');
  }
  const sweeper = startSweeps(
    allSweeps({
      settings,
      store,
      agents,
      directory: agents.directory,
      dispatcher,
      queue,
      storage,
      indexer,
      embedded,
      feeding: feeding ?? null,
      deliveries,
      conversations,
      social,
      evaluations,
      authenticator,
      installation,
      leaseMs,
      clock,
      log,
    }),
    log,
  );

  const { allowedOrigins } = settings.http;
  const visitorOrigins = createVisitorOrigins(widget, visitorCallers);
  const answer = crossOrigin({ allowedOrigins, visitorOrigins }, createListener(app, storage));
  const listener = logRequests(answer, log, settings.log.requests);
  return {
    operational,
    listener: (request, response) => {
      if (!accepting) response.setHeader('connection', 'close');
      listener(request, response);
    },
    drain() {
      accepting = false;
    },
    async endAnswers(deadlineMs) {
      waits.end();
      await conversations.answers.settled(deadlineMs);
      conversations.answers.interrupt();
      await conversations.answers.settled(SETTLE_MS);
    },
    async quiesce() {
      await sweeper.stop();
      await Promise.all([social.stop(), evaluations.stop()]);
      await dispatcher.close();
    },
    async stop() {
      await unsubscribe();
      await agents.directory.stop();
      await authenticator.flushUsage();
    },
  };
}
