import { GATHER_MS } from './actors/agent/evaluate-after.js';
import { BOTH_VALID_S } from './actors/agent/identity-secret.js';
import { SYNC_LEASE_MS } from './actors/agent/social-profile.js';
import { BLOCKED_MS } from './channels/account-access.js';
import { EVENT_AWAY_MS, EVENT_LEASE_MS } from './channels/event-rounds.js';
import { LONGEST_PAUSE_MS } from './channels/profile-sync.js';
import { SENDING_RETRY } from './channels/sending.js';
import { LEASE_MS } from './conversations/answer-saver.js';
import { QUEUED_LEASE_MS } from './conversations/conversation-queue.js';
import { LONGEST_WINDOW_MS } from './conversations/speaking-rate.js';
import { EVALUATION_LEASE_MS } from './evaluations/evaluations.js';
import type { Sweep } from './jobs/sweeper.js';
import { CLOCK_SKEW_MS, type Clock } from './ports/clock.port.js';
import type { StoredTime, StoredTimes } from './ports/store/stored-times.js';
import { WEBHOOK_IN_QUEUE_MS } from './tasks/types/deliver-webhook.js';
import { dayOf } from './visitors/limits.js';
import { PAUSES_MS } from './webhooks/attempts.js';
import { ROTATION_S } from './webhooks/webhook-changes.js';

interface BoundSettings {
  jobs: { backoffMaxMs: number };
  channels: { gatherMs: number; humanPauseSeconds: number };
  leaseMs: number;
}

const SECOND_MS = 1000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Half of the life of a platform's token, when it is renewed. */
const RENEWAL_MS = 30 * DAY_MS;
/** The longest `Retry-After` of a site that is obeyed. */
const RETRY_AFTER_MS = HOUR_MS;
/** Longest pause between two passes over the rows of a deleted agent. */
const REMAINS_MS = 120 * SECOND_MS;
const EVERY_MS = 15 * SECOND_MS;
const BATCH = 500;

/** How far ahead of now each stored time can lie, in milliseconds. */
const boundsOf = ({ jobs, channels, leaseMs }: BoundSettings): Record<StoredTime, number> => ({
  agentsDue: Math.max(jobs.backoffMaxMs, RETRY_AFTER_MS),
  agentsToRetrain: 0,
  anonymousConversations: 0,
  answerLeases: LEASE_MS,
  answerStops: 0,
  channelPauses: channels.humanPauseSeconds * SECOND_MS,
  channelRenewals: RENEWAL_MS,
  channelRests: BLOCKED_MS,
  claimedChannelEvents: EVENT_LEASE_MS,
  claimedEvaluations: EVALUATION_LEASE_MS,
  connectionsEnded: 0,
  conversationsUpdated: 0,
  deliveriesEnded: 0,
  deliveryLeases: Math.max(WEBHOOK_IN_QUEUE_MS, leaseMs),
  dueChannelEvents: Math.max(channels.gatherMs, EVENT_AWAY_MS),
  dueDeliveries: Math.max(...PAUSES_MS),
  dueEvaluations: GATHER_MS,
  eventsEnded: 0,
  idempotencyKeys: 0,
  identitySecrets: BOTH_VALID_S * SECOND_MS,
  jobsFinished: 0,
  messagesEnded: 0,
  objectsToDelete: 0,
  profileLooks: Math.max(LONGEST_PAUSE_MS, BLOCKED_MS),
  profileSyncs: SYNC_LEASE_MS,
  queuedRequests: QUEUED_LEASE_MS,
  queuedTasks: 0,
  remains: REMAINS_MS,
  resolvedQuestions: 0,
  retriedTasks: Math.max(jobs.backoffMaxMs, RETRY_AFTER_MS),
  sendingMessages: Math.max(SENDING_RETRY.longestMs, BLOCKED_MS),
  taskLeases: leaseMs,
  uploadsIssued: 0,
  waitingMessages: Math.max(SENDING_RETRY.longestMs, BLOCKED_MS),
  webhookSecrets: ROTATION_S * SECOND_MS,
});

/**
 * Corrects stored times that lie farther ahead than they can: they were written while the clock was ahead. Without it,
 * a lease, a retry or a retention period would last until the clock gets there.
 */
export function timeBounds({
  times,
  clock,
  ...settings
}: BoundSettings & { times: StoredTimes; clock: Clock }): Sweep {
  const bounds = Object.entries(boundsOf(settings)) as [StoredTime, number][];
  return {
    name: 'time-bounds',
    everyMs: EVERY_MS,
    async run() {
      const now = clock.now();
      const latest = bounds.map(([time, ms]) => [time, now + ms + CLOCK_SKEW_MS] as const);
      const changed = await times.bound(
        Object.fromEntries(latest) as Record<StoredTime, number>,
        // The subject of an address lasts until the end of the day.
        { subjectsMs: now + DAY_MS + LONGEST_WINDOW_MS, day: dayOf(now + DAY_MS) },
        BATCH,
      );
      return changed >= BATCH;
    },
  };
}
