import { GATHER_MS } from './actors/agent/jobs/evaluate-after.js';
import { AGAIN_SECONDS, HELD_SECONDS } from './actors/agent/knowledge/embedding.js';
import { BOTH_VALID_S } from './actors/agent/profile/identity-secret.js';
import { LONGEST_HOST_QUEUE_MS } from './actors/agent/sites/site-reading.js';
import { RENEWAL_S } from './actors/agent/social/connection.js';
import { SYNC_LEASE_MS } from './actors/agent/social/profile.js';
import { BLOCKED_MS } from './channels/account-access.js';
import { EVENT_AWAY_MS, EVENT_LEASE_MS } from './channels/event-rounds.js';
import { LONGEST_PAUSE_MS } from './channels/profile-sync.js';
import { SENDING_RETRY } from './channels/sending.js';
import { LEASE_MS } from './conversations/answer-saver.js';
import { QUEUED_LEASE_MS } from './conversations/conversation-queue.js';
import { COPY_LEASE_MS } from './copies/copying.js';
import { ERASURE_LEASE_MS } from './erasure/erasing.js';
import { EVALUATION_LEASE_MS } from './evaluations/evaluations.js';
import type { Sweep } from './jobs/sweeper.js';
import { LEAD_MS, MAIL_PAUSES_MS } from './mail/sender.js';
import { CLOCK_SKEW_MS, type Clock } from './ports/clock.port.js';
import type { StoredTime, StoredTimes } from './ports/store/stored-times.js';
import { REMAINS_PAUSES_S } from './ports/store/sweeps.js';
import { longestSettings } from './schemas/longest-settings.js';
import { WEBHOOK_IN_QUEUE_MS } from './tasks/types/deliver-webhook.js';
import { PAUSES_MS } from './webhooks/attempts.js';
import { ROTATION_S } from './webhooks/webhook-changes.js';

const SECOND_MS = 1000;
const EVERY_MS = 15 * SECOND_MS;
const BATCH = 500;

/**
 * Returns how far each stored time can lie ahead of now, in milliseconds. Independent of current settings, except that
 * leases are extended by their holders.
 */
const boundsOf = (leaseMs: number): Record<StoredTime, number> => ({
  agentsDue: longestSettings.backoffMs,
  agentsToRetrain: 0,
  answerLeases: LEASE_MS,
  channelPauses: longestSettings.humanPauseSeconds * SECOND_MS,
  channelRenewals: RENEWAL_S * SECOND_MS,
  channelRests: BLOCKED_MS,
  claimedChannelEvents: EVENT_LEASE_MS,
  claimedEvaluations: EVALUATION_LEASE_MS,
  copyLeases: COPY_LEASE_MS,
  deliveryLeases: Math.max(WEBHOOK_IN_QUEUE_MS, leaseMs),
  dueChannelEvents: Math.max(longestSettings.gatherMs, EVENT_AWAY_MS),
  dueDeliveries: Math.max(...PAUSES_MS),
  dueEvaluations: GATHER_MS,
  dueMails: Math.max(...MAIL_PAUSES_MS),
  dueVectors: Math.max(HELD_SECONDS, AGAIN_SECONDS) * SECOND_MS,
  handoverMails: 0,
  handoverMailsCovered: 0,
  inboxChanges: 0,
  inboxReaders: 0,
  hostPauses: LONGEST_HOST_QUEUE_MS,
  identitySecrets: BOTH_VALID_S * SECOND_MS,
  erasureLeases: ERASURE_LEASE_MS,
  mailLeases: LEAD_MS,
  profileLooks: Math.max(LONGEST_PAUSE_MS, BLOCKED_MS),
  profileSyncs: SYNC_LEASE_MS,
  queuedRequests: QUEUED_LEASE_MS,
  queuedTasks: 0,
  remains: Math.max(...REMAINS_PAUSES_S) * SECOND_MS,
  retriedTasks: longestSettings.backoffMs,
  sendingMessages: Math.max(SENDING_RETRY.longestMs, BLOCKED_MS),
  taskLeases: leaseMs,
  toolCalls: longestSettings.toolResultTtlSeconds * SECOND_MS,
  waitingMessages: Math.max(SENDING_RETRY.longestMs, BLOCKED_MS),
  webhookSecrets: ROTATION_S * SECOND_MS,
});

/**
 * Corrects stored times that lie too far in the future, because they were written while the clock was ahead. Otherwise,
 * a lease or a retry would last until the clock reaches them. A clock that is behind looks the same, so only times that
 * are safe to correct in both cases are changed: never the start of a retention period.
 */
export function timeBounds({
  times,
  clock,
  leaseMs,
}: {
  times: StoredTimes;
  clock: Clock;
  leaseMs: number;
}): Sweep {
  const bounds = Object.entries(boundsOf(leaseMs)) as [StoredTime, number][];
  return {
    name: 'time-bounds',
    everyMs: EVERY_MS,
    async run() {
      const now = clock.now();
      const latest = bounds.map(([time, ms]) => [time, now + ms + CLOCK_SKEW_MS] as const);
      const changed = await times.bound(Object.fromEntries(latest) as Record<StoredTime, number>, BATCH);
      return changed >= BATCH;
    },
  };
}
