import { v7 as uuidv7 } from 'uuid';
import type { DeliveryRow, WebhookRow } from '../ports/store/webhooks.js';
import { type WebhookEvent, webhookBody } from '../schemas/webhook-events.js';
import { DELIVERY_MS } from './attempts.js';

/** Returns the row of a new delivery of an event to a webhook, due immediately. */
export const newDelivery = (
  { id, workspaceId }: Pick<WebhookRow, 'id' | 'workspaceId'>,
  event: WebhookEvent,
): DeliveryRow => ({
  id: uuidv7(),
  webhookId: id,
  workspaceId,
  event: event.type,
  body: webhookBody(event),
  status: 'pending',
  attempts: 0,
  tries: 0,
  dueAtMs: event.at * 1000,
  leaseUntilMs: null,
  expiresAtMs: event.at * 1000 + DELIVERY_MS,
  createdAt: event.at,
  lastAttemptAt: null,
  endedAt: null,
  answerStatus: null,
  answerBody: null,
  errorCode: null,
  errorMessage: null,
});
