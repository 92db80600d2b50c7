import { seconds } from '../../ports/clock.port.js';
import type { DeliveryRow, WebhookRow } from '../../ports/store/webhooks.js';
import { bothSignUntil } from '../../webhooks/webhook-changes.js';

const inSeconds = (ms: number | null): number | null => (ms === null ? null : seconds(ms));

/** `now` in Unix seconds. */
export const presentWebhook = (row: WebhookRow, now: number) => ({
  id: row.id,
  url: row.url,
  description: row.description,
  events: row.events,
  enabled: row.enabled,
  disabledReason: row.disabledReason,
  failingSince: inSeconds(row.failingSinceMs),
  previousSecretUntil: bothSignUntil(row, now),
  createdAt: row.createdAt,
});

export const presentDelivery = (row: DeliveryRow) => ({
  id: row.id,
  event: row.event,
  status: row.status,
  attempts: row.attempts,
  createdAt: row.createdAt,
  nextAttemptAt: row.status === 'pending' ? inSeconds(row.dueAtMs) : null,
  lastAttemptAt: row.lastAttemptAt,
  endedAt: row.endedAt,
  answer: row.answerStatus === null ? null : { status: row.answerStatus, body: row.answerBody ?? '' },
  error: row.errorCode === null ? null : { code: row.errorCode, message: row.errorMessage ?? '' },
  message: JSON.parse(row.body) as object,
});
