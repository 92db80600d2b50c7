import { setTimeout as sleep } from 'node:timers/promises';
import type { Agents } from './actors/agent/agents.js';
import type { Directory } from './actors/directory.js';
import type { Social } from './channels/social.js';
import type { Conversations } from './conversations/conversations.js';
import type { Copying } from './copies/copying.js';
import type { Erasing } from './erasure/erasing.js';
import type { Evaluations } from './evaluations/evaluations.js';
import type { Authenticator } from './http/auth/authenticate.js';
import type { SessionCallers } from './http/auth/session-callers.js';
import type { Dispatcher } from './jobs/dispatcher.js';
import { createEmbeddingSweep } from './jobs/embedding-sweep.js';
import { createIndexSweeps } from './jobs/index-sweeps.js';
import type { Sweep } from './jobs/sweeper.js';
import { createSweeps } from './jobs/sweeps.js';
import type { Sender } from './mail/sender.js';
import { type Clock, seconds } from './ports/clock.port.js';
import type { EmbeddingModel } from './ports/embedding.port.js';
import type { Indexer } from './ports/indexer.port.js';
import type { Log } from './ports/log.port.js';
import type { Queue } from './ports/queue.port.js';
import type { Storage } from './ports/storage.port.js';
import type { Store } from './ports/store/store.port.js';
import type { Feeding } from './retrieval/feed/feeding.js';
import { limits } from './schemas/limits.js';
import { timeBounds } from './time-bounds.js';
import { dayOf } from './visitors/limits.js';
import type { Deliveries } from './webhooks/deliveries.js';
import { claimStorage } from './workspaces/installation-claim.js';

interface SweptParts {
  settings: {
    uploads: { abandonedAfterSeconds: number };
    retrain: { intervalSeconds: number };
    audit: { keepDays: number | null };
    contacts: { keepDays: number | null };
    jobs: { keepDays: number | null; windowPerAgent: number; window: number };
    actors: { idleSeconds: number };
    auth: { cacheTtlSeconds: number };
    signIn: { idleHours: number };
    retrieval: { maxVectorChunks: number };
  };
  store: Store;
  agents: Agents;
  directory: Pick<Directory<unknown>, 'passivateIdle'>;
  dispatcher: Dispatcher;
  queue: Queue;
  storage: Storage;
  indexer: Indexer;
  /** The embedding model, if configured. */
  embedded: EmbeddingModel | null;
  /** Null if the search engine does not keep its own copy. */
  feeding: Feeding | null;
  deliveries: Deliveries;
  conversations: Conversations;
  social: Social;
  /** Give conversations back whose person is gone. */
  handoverSweeps: Sweep[];
  evaluations: Evaluations;
  erasing: Erasing;
  copying: Pick<Copying, 'sweeps'>;
  checkVisitors: () => Promise<void>;
  authenticator: Authenticator;
  sessionCallers: SessionCallers;
  /** Null without a mail server. */
  sender: Sender | null;
  /** Null without a mail server. */
  claimDailyMails: (() => Promise<void>) | null;
  mailQuotaAlerts: (() => Promise<void>) | null;
  mailHandovers: (() => Promise<void>) | null;
  installation: string;
  leaseMs: number;
  clock: Clock;
  log: Log;
}

/** Interval between syncs to external search engines. */
const FEED_MS = 5000;
const SHORTEST_KEY_CHECK_MS = 250;
const USAGE_FLUSH_MS = 15_000;
const FORGET_DELIVERIES_MS = 15_000;
const SEAL_SECRETS_MS = 5000;
/** Interval between checks for due webhook deliveries. */
const DELIVERIES_MS = 1000;
/** Interval between checks for due e-mails. */
const MAILS_MS = 1000;
/** Interval between checks for members whose daily e-mails are due. With its jitter below a minute. */
const DAILY_MAILS_MS = 45_000;
/** Interval between checks of allowances. */
const QUOTA_ALERTS_MS = 5000;
/** Interval between checks for waiting visitors for a person. */
const HANDOVER_MAILS_MS = 2000;
/** Ended e-mails are kept for a while, to see what was sent. They have no content. */
const KEEP_MAILS_S = 30 * 86_400;
/** Interval between attempts to claim the storage, if it was unavailable at the start. */
const CLAIM_MS = 30_000;
const SHRINK_MS = 10_000;
const OLD_AUDIT_MS = 60_000;
const OLD_CONTACTS_MS = 60_000;
const OLD_PAGE_CHANGES_MS = 60_000;
const OLD_HOSTS_MS = 60_000;
/** Maximum rows per statement. */
const OLD_HOSTS = 100;
const DAY_S = 86_400;
const ENDED_SESSIONS_MS = 60_000;
const HOUR_S = 3600;
const LONGEST_IDLE_CHECK_MS = 10_000;
const VISITOR_COUNTS_MS = 60_000;
const KEEP_VISITOR_COUNTS_MS = 40 * 86_400_000;
/** Maximum rows per statement. */
const VISITOR_COUNTS = 100;

/** Returns all periodic work of an API process. */
export function allSweeps(parts: SweptParts): Sweep[] {
  const { settings, store, agents, directory, storage, indexer, embedded, feeding } = parts;
  const { deliveries, conversations, authenticator, sessionCallers, clock, log } = parts;
  return [
    ...createSweeps({
      store,
      agents,
      dispatcher: parts.dispatcher,
      queue: parts.queue,
      isQueueInside: !parts.queue.capabilities.durable && !parts.queue.capabilities.remoteWorkers,
      storage,
      clock,
      log,
      leaseMs: parts.leaseMs,
      windows: { ofAgent: settings.jobs.windowPerAgent, ofAll: settings.jobs.window },
      retrainIntervalSeconds: settings.retrain.intervalSeconds,
      keepJobsDays: settings.jobs.keepDays,
      uploadsAbandonedAfterSeconds: settings.uploads.abandonedAfterSeconds,
      installation: parts.installation,
    }),
    ...createIndexSweeps({ sweeps: store.indexing, reads: store.reads, agents, indexer, log }),
    ...(embedded
      ? [
          createEmbeddingSweep({
            sweeps: store.vectors,
            reads: store.knowledge,
            agents,
            storage,
            model: embedded,
            mostChunks: settings.retrieval.maxVectorChunks,
            clock,
            log,
          }),
        ]
      : []),
    ...(feeding ? [{ name: 'feed', everyMs: FEED_MS, run: () => feeding.round() }] : []),
    regularly('storage-claim', CLAIM_MS, async () => {
      const claim = await claimStorage(storage, parts.installation);
      if (!claim.ok) throw new Error(claim.reason);
    }),
    {
      name: 'webhooks',
      everyMs: DELIVERIES_MS,
      run: () => deliveries.round(),
      end: async () => deliveries.end(),
    },
    ...(parts.sender
      ? [{ name: 'mails', everyMs: MAILS_MS, run: parts.sender.round, end: parts.sender.end }]
      : []),
    ...(parts.claimDailyMails ? [regularly('daily-mails', DAILY_MAILS_MS, parts.claimDailyMails)] : []),
    ...(parts.mailHandovers ? [regularly('handover-mails', HANDOVER_MAILS_MS, parts.mailHandovers)] : []),
    ...(parts.mailQuotaAlerts ? [regularly('quota-alerts', QUOTA_ALERTS_MS, parts.mailQuotaAlerts)] : []),
    {
      name: 'old-mails',
      everyMs: ENDED_SESSIONS_MS,
      run: () => store.mails.forget(seconds(clock.now()) - KEEP_MAILS_S),
    },
    { name: 'old-deliveries', everyMs: FORGET_DELIVERIES_MS, run: () => deliveries.forget() },
    { name: 'webhook-secrets', everyMs: SEAL_SECRETS_MS, run: () => deliveries.seal() },
    ...conversations.sweeps,
    ...parts.social.sweeps,
    ...parts.handoverSweeps,
    ...parts.evaluations.sweeps,
    ...parts.erasing.sweeps,
    ...parts.copying.sweeps,
    timeBounds({
      times: store.storedTimes,
      clock,
      leaseMs: parts.leaseMs,
    }),
    {
      name: 'visitor-counts',
      everyMs: VISITOR_COUNTS_MS,
      async run() {
        const before = dayOf(clock.now() - KEEP_VISITOR_COUNTS_MS);
        return (await store.visitors.forget(before, VISITOR_COUNTS)) === VISITOR_COUNTS;
      },
    },
    {
      name: 'unused-space',
      everyMs: SHRINK_MS,
      async run() {
        const began = performance.now();
        const more = await store.shrink();
        // Pause for as long as the step took, so that other writers get at least half of the time.
        if (more) await sleep(performance.now() - began);
        return more;
      },
    },
    regularly('idle-actors', Math.min(LONGEST_IDLE_CHECK_MS, settings.actors.idleSeconds * 500), () =>
      directory.passivateIdle(),
    ),
    // Twice per lifetime of cached keys, so that the streams of a revoked key end within it.
    regularly('watched-keys', Math.max(SHORTEST_KEY_CHECK_MS, settings.auth.cacheTtlSeconds * 500), () =>
      Promise.all([authenticator.checkWatched(), sessionCallers.checkWatched(), parts.checkVisitors()]),
    ),
    regularly('key-usage', USAGE_FLUSH_MS, () => authenticator.flushUsage()),
    regularly('session-usage', USAGE_FLUSH_MS, () => sessionCallers.flushUsage()),
    {
      name: 'old-audit',
      everyMs: OLD_AUDIT_MS,
      async run() {
        const { keepDays } = settings.audit;
        return keepDays !== null && store.audit.forget(seconds(clock.now()) - keepDays * DAY_S);
      },
    },
    {
      name: 'old-contacts',
      everyMs: OLD_CONTACTS_MS,
      async run() {
        const { keepDays } = settings.contacts;
        return keepDays !== null && store.contacts.forget(seconds(clock.now()) - keepDays * DAY_S);
      },
    },
    {
      name: 'old-page-changes',
      everyMs: OLD_PAGE_CHANGES_MS,
      run: () => store.pageChanges.forget(seconds(clock.now()) - limits.pageChanges.days * DAY_S),
    },
    {
      // The pauses between fetches from hosts are long over.
      name: 'old-hosts',
      everyMs: OLD_HOSTS_MS,
      run: async () => (await store.sites.forgetHosts(clock.now() - DAY_S * 1000, OLD_HOSTS)) === OLD_HOSTS,
    },
    {
      name: 'ended-sessions',
      everyMs: ENDED_SESSIONS_MS,
      run() {
        const now = seconds(clock.now());
        return store.people.sessions.forget(now, now - settings.signIn.idleHours * HOUR_S);
      },
    },
  ];
}

/** Returns a sweep that completes in one run. */
const regularly = (name: string, everyMs: number, work: () => unknown): Sweep => ({
  name,
  everyMs,
  async run() {
    await work();
    return false;
  },
});
