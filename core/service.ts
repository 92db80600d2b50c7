import type { RequestListener } from 'node:http';
import { createAgents } from './actors/agent/agents.js';
import { allSweeps } from './all-sweeps.js';
import { type AnsweringSettings, createAnswering } from './answering.js';
import { createSocial, type SocialSettings } from './channels/social.js';
import type { Answerer } from './chat/answerer.js';
import { createAnswerMails } from './conversations/handover/answer-mails.js';
import { createAvailability } from './conversations/handover/availability.js';
import { handoverSweeps } from './conversations/handover/handover-sweeps.js';
import { createStaffMails } from './conversations/handover/staff-mails.js';
import { createCopying } from './copies/copying.js';
import { createErasing } from './erasure/erasing.js';
import { createPersonHash } from './erasure/person-hash.js';
import { createEvaluations } from './evaluations/evaluations.js';
import { createAuthenticator } from './http/auth/authenticate.js';
import { createOrigins } from './http/auth/origins.js';
import { createSessionCallers } from './http/auth/session-callers.js';
import type { Operational } from './http/health/operations.js';
import { portChecks } from './http/health/port-checks.js';
import { createMemoryBudget } from './http/limits/memory-budget.js';
import { cookieNamesUnder } from './http/session/session-cookies.js';
import { createDispatcher } from './jobs/dispatcher.js';
import { ownEvents } from './jobs/foreign-messages.js';
import { createInbox } from './jobs/inbox.js';
import { createJobWaits } from './jobs/job-waits.js';
import { startSweeps } from './jobs/sweeper.js';
import { dailyClaims } from './mail/daily/claims.js';
import { createDailyLetter } from './mail/daily/daily-letter.js';
import { createOutbox } from './mail/outbox.js';
import { createQuotaAlerts } from './mail/quota-alerts.js';
import { createSender } from './mail/sender.js';
import { createStopLinks } from './mail/stop-links.js';
import { measured } from './observability/measured-retrieval.js';
import { createMetrics } from './observability/metrics.js';
import { recentHealths } from './observability/recent-health.js';
import type { Judge } from './ports/judge.port.js';
import type { Ports } from './ports/plugin.port.js';
import { embeddedModel } from './retrieval/embedded-model.js';
import { fedSearch } from './retrieval/feed/fed-search.js';
import { createFeeding } from './retrieval/feed/feeding.js';
import { createKeyring } from './secrets/keyring.js';
import { createServing, type ServingParts, type ServingSettings } from './serving.js';
import { createDeliveries } from './webhooks/deliveries.js';
import { entitlementsUnder, type Plan } from './workspaces/entitlements.js';
import { checkStorageClaim } from './workspaces/installation-claim.js';
import { installationId } from './workspaces/installation-id.js';

/** Settings of an API process. */
export interface ServiceSettings extends AnsweringSettings, ServingSettings {
  http: ServingSettings['http'] & { bodyMemoryMb: number };
  secrets: { key: string | null; previousKeys: string[] };
  uploads: { urlTtlSeconds: number; abandonedAfterSeconds: number; maxBytes: number; openBytes: number };
  retrain: { intervalSeconds: number };
  crawl: { siteDelayMs: number; goneAfterSeconds: number };
  webhooks: { disableAfterHours: number; keepDays: number | null; allowPrivateAddresses: boolean };
  audit: { keepDays: number | null };
  contacts: { keepDays: number | null };
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
  mail: { perMinute: number };
  models: AnsweringSettings['models'];
  retrieval: AnsweringSettings['retrieval'] & { maxVectorChunks: number };
  channels: SocialSettings & ServingSettings['channels'];
  chat: AnsweringSettings['chat'] & ServingSettings['chat'];
}

export interface ServiceParts extends ServingParts {
  settings: ServiceSettings;
  plans: ReadonlyMap<string, Plan>;
  ports: Ports;
  judge: Judge;
  /** Tests: replaces the answerer that is built from the ports. */
  answerer?: Answerer;
  /** Product version, for the metrics. */
  version: string;
}

export interface Service {
  listener: RequestListener;
  /** Serves a separate port if `operations.port` is set. */
  operational: Operational;
  /** From now on, `/readyz` returns 503 and every response closes its connection. Requests are still served. */
  drain(): void;
  /**
   * Ends long polls and waits for the answers in progress. At the deadline, answers fail and keep the text that they
   * have.
   */
  endAnswers(deadlineMs: number): Promise<void>;
  /** Stops starting work, but still processes the results of running tasks. */
  quiesce(): Promise<void>;
  /** Stops turns and events; resolves when the running ones have ended. */
  stop(): Promise<void>;
}

const HOUR_MS = 3_600_000;
const HOUR_S = 3600;
const MIB = 1_048_576;
/** Time for the last turns of interrupted answers. */
const SETTLE_MS = 1000;

/**
 * Number of an agent's events that justify a turn: half of its tasks in flight, so that the other half keeps the
 * workers busy. A small window for all agents limits it further.
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
    mailBacklog: () => store.mails.counts(),
    indexBytes: () => ports.retrieval.memory?.() ?? 0,
    engineLag: () => feeding?.lag() ?? null,
    answersUnderWay: () => conversations.answers.size,
    oldestEventMs: async () => (ports.channel.isConfigured ? store.channelFlow.oldestWaiting() : null),
    lastBackupAt: () => store.lastBackupAt(),
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
      site: settings.crawl,
      onEvaluationRefused: (ids) =>
        log.info(ids, 'no evaluation after training: the workspace is at limits.visitorStorageBytes'),
      random: Math.random,
    },
    dispatch: (messages) => dispatcher.dispatch(messages),
    onTurn: metrics.turn,
    onEvent: metrics.jobs.observe,
    tracing,
    log,
  });
  const sessionCallers = createSessionCallers({
    sessions: store.people.sessions,
    members: store.people.members,
    entitlementsOf,
    namesOf: cookieNamesUnder(settings.http),
    originOf: createOrigins(settings.http),
    cacheTtlSeconds: settings.auth.cacheTtlSeconds,
    idleSeconds: settings.signIn.idleHours * HOUR_S,
    clock,
    log,
  });
  const authenticator = createAuthenticator({
    workspaces: store.workspaces,
    entitlementsOf,
    cacheTtlSeconds: settings.auth.cacheTtlSeconds,
    clock,
    log,
  });
  const keyring = createKeyring({ ...settings.secrets, installation: parts.secret });
  const { mail = null } = parts;
  const { publicUrl } = settings.http;
  const outbox =
    mail && createOutbox({ mails: store.mails, recentEvents: store.recentEvents, keyring, publicUrl, clock });
  const stopLinks = createStopLinks(keyring);
  const sender =
    mail &&
    createSender({
      mail,
      mails: store.mails,
      people: store.people,
      recentEvents: store.recentEvents,
      keyring,
      dailyLetter: createDailyLetter({
        dailyMails: store.dailyMails,
        stopLinks,
        publicUrl,
        clock,
      }),
      publicUrl,
      perMinute: settings.mail.perMinute,
      onAttempt: metrics.mail,
      clock,
      log,
    });
  const engine = measured(ports.retrieval, metrics);
  const nearest = ports.retrieval.nearest?.bind(ports.retrieval);
  const { search, conversations, answerer, dayCounts } = createAnswering({
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
  const availability = createAvailability({
    readers: store.conversations.inbox.readers,
    hasMail: mail !== null,
    clock,
  });
  const social = createSocial({
    settings: settings.channels,
    channel: ports.channel,
    channels: store.channels,
    flow: store.channelFlow,
    agents,
    conversations,
    dayCounts,
    availability,
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
  const personHash = createPersonHash(parts.secret);
  const answerMails =
    mail && publicUrl !== null ? createAnswerMails({ keyring, stopLinks, personHash, publicUrl }) : null;
  const copying = createCopying({ store, storage, entitlementsOf, clock, log });
  const erasing = createErasing({ store, settings, conversations, keyring, personHash, clock });
  const health = recentHealths({
    database: () => store.health(),
    ...portChecks(ports, feeding),
    installation: () => checkStorageClaim(storage, installation),
  });
  const operational: Operational = { health, essential: 'database', accepting: () => accepting, metrics };
  const waits = createJobWaits(store.reads, log);
  const { listener, checkVisitors } = createServing(parts, {
    answerMails,
    availability,
    agents,
    authenticator,
    sessionCallers,
    conversations,
    entitlementsOf,
    evaluations,
    erasing,
    copying,
    personHash,
    keyring,
    memory,
    operational,
    outbox,
    onResponse: metrics.request,
    search,
    social,
    waits,
  });

  const deliveries = createDeliveries({
    webhooks: store.webhooks,
    queue,
    keyring,
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
      handoverSweeps: handoverSweeps({
        store: store.conversations,
        reads: store.reads,
        channelOf: ({ source }) => (source === 'social' ? social.takeOver.channel : null),
        clock,
        log,
      }),
      evaluations,
      erasing,
      copying,
      checkVisitors,
      authenticator,
      sessionCallers,
      sender,
      claimDailyMails:
        mail && dailyClaims({ dailyMails: store.dailyMails, mails: store.mails, keyring, clock }),
      mailHandovers:
        mail &&
        createStaffMails({
          handoverMails: store.handoverMails,
          mails: store.mails,
          availability,
          keyring,
          stopLinks,
          publicUrl,
          clock,
        }),
      mailQuotaAlerts:
        mail &&
        createQuotaAlerts({
          quotaAlerts: store.quotaAlerts,
          dailyMails: store.dailyMails,
          entitlementsOf,
          keyring,
          stopLinks,
          publicUrl,
          clock,
        }),
      installation,
      leaseMs,
      clock,
      log,
    }),
    log,
  );

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
      await Promise.all([social.stop(), evaluations.stop(), copying.stop()]);
      await dispatcher.close();
    },
    async stop() {
      await unsubscribe();
      await agents.directory.stop();
      await authenticator.flushUsage();
      await sessionCallers.flushUsage();
    },
  };
}
