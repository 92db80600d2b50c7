import type { DeliveryRow, DeliveryStatus, WebhookRow } from '../../../core/ports/store/webhooks.js';
import type { WebhookEvent, WebhookEventType } from '../../../core/schemas/webhook-events.js';
import { bigint, flag, integer, json, long, orNull, primary, text, uuid } from './column.js';
import { table } from './table.js';

export const webhooks = table('webhooks', {
  id: primary(uuid),
  workspaceId: uuid,
  url: text(),
  description: text(),
  events: json<WebhookEventType[]>(),
  enabled: flag,
  disabledReason: orNull(text<NonNullable<WebhookRow['disabledReason']>>()),
  secret: text(),
  previousSecret: orNull(text()),
  previousUntil: orNull(bigint),
  failingSinceMs: orNull(bigint),
  createdAt: bigint,
});

export const deliveries = table('webhook_deliveries', {
  id: primary(uuid),
  webhookId: uuid,
  workspaceId: uuid,
  event: text<WebhookEvent['type']>(),
  body: long,
  status: text<DeliveryStatus>(),
  attempts: integer,
  tries: integer,
  dueAtMs: bigint,
  leaseUntilMs: orNull(bigint),
  expiresAtMs: bigint,
  createdAt: bigint,
  lastAttemptAt: orNull(bigint),
  endedAt: orNull(bigint),
  answerStatus: orNull(integer),
  answerBody: orNull(text()),
  errorCode: orNull(text()),
  errorMessage: orNull(text()),
});

export const deliveryColumns = (row: Partial<DeliveryRow>): Record<string, unknown> =>
  deliveries.byColumn(deliveries.encode(row));
