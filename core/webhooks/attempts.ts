import type { DeliveryRow, Settlement, WebhookRow } from '../ports/store/webhooks.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Pauses after failed attempts, in milliseconds. Their sum is just below 24 hours. */
export const PAUSES_MS = [
  5 * SECOND,
  MINUTE,
  5 * MINUTE,
  15 * MINUTE,
  30 * MINUTE,
  HOUR,
  2 * HOUR,
  4 * HOUR,
  8 * HOUR,
  8 * HOUR,
];
/** Share of a pause that is random, so that deliveries that failed together are not retried together. */
const JITTER = 0.1;
export const DELIVERY_MS = 24 * HOUR;

const STATUS_GONE = 410;
const MAX_ERROR_MESSAGE = 500;

/** How an attempt ended: with a response or without. */
export type AttemptEnd =
  | { kind: 'answered'; status: number; body: string; retryAfterMs?: number | undefined }
  | { kind: 'failed'; code: string; message: string };

export type Outcome = 'delivered' | 'retried' | 'failed';

const isSuccess = (end: AttemptEnd): boolean =>
  end.kind === 'answered' && end.status >= 200 && end.status <= 299;

interface Moment {
  nowMs: number;
  /** In [0, 1). */
  random: number;
  /** Time without a successful delivery after which the webhook is disabled. */
  disableAfterMs: number;
}

/** Returns the changes of the delivery and its webhook after an attempt, and the outcome. */
export function settlementOf(
  { delivery, webhook }: { delivery: DeliveryRow; webhook: WebhookRow },
  end: AttemptEnd,
  { nowMs, random, disableAfterMs }: Moment,
): Settlement & { outcome: Outcome } {
  const now = Math.floor(nowMs / SECOND);
  const attemptFields = {
    leaseUntilMs: null,
    lastAttemptAt: now,
    answerStatus: end.kind === 'answered' ? end.status : null,
    answerBody: end.kind === 'answered' ? end.body : null,
    ...errorOf(end),
  };
  if (isSuccess(end))
    return {
      outcome: 'delivered',
      delivery: { ...attemptFields, status: 'delivered', endedAt: now },
      webhook: { failingSinceMs: null },
    };
  // A stored time in the future was stored while the clock was wrong.
  const failingSinceMs = Math.min(webhook.failingSinceMs ?? nowMs, nowMs);
  const isGone = end.kind === 'answered' && end.status === STATUS_GONE;
  // The failure of a recent message must not disable the webhook, even if the last success is long ago.
  const isOld = nowMs - (delivery.expiresAtMs - DELIVERY_MS) >= HOUR;
  const isDisabled = isGone || (isOld && nowMs - failingSinceMs >= disableAfterMs);
  const dueAtMs = nowMs + pauseMs(delivery.tries, random, end);
  const isLast = isDisabled || delivery.tries > PAUSES_MS.length || dueAtMs > delivery.expiresAtMs;
  return {
    outcome: isLast ? 'failed' : 'retried',
    delivery: {
      ...attemptFields,
      ...(isLast ? { status: 'failed', endedAt: now } : { status: 'pending', dueAtMs }),
    },
    webhook: {
      failingSinceMs,
      ...(isDisabled ? { enabled: false, disabledReason: isGone ? 'GONE' : 'FAILING' } : {}),
    },
  };
}

function pauseMs(tries: number, random: number, end: AttemptEnd): number {
  const longest = PAUSES_MS.at(-1) ?? 0;
  const pause = (PAUSES_MS[tries - 1] ?? longest) * (1 - JITTER * random);
  const asked = end.kind === 'answered' ? (end.retryAfterMs ?? 0) : 0;
  return Math.round(Math.max(pause, Math.min(asked, longest)));
}

function errorOf(end: AttemptEnd): Pick<DeliveryRow, 'errorCode' | 'errorMessage'> {
  if (isSuccess(end)) return { errorCode: null, errorMessage: null };
  if (end.kind === 'failed')
    return { errorCode: end.code, errorMessage: end.message.slice(0, MAX_ERROR_MESSAGE) };
  const redirect = end.status >= 300 && end.status <= 399 ? ' Redirects are not followed.' : '';
  return {
    errorCode: 'NOT_ACCEPTED',
    errorMessage: `The receiver answered HTTP ${end.status}; 2xx is expected.${redirect}`,
  };
}
