import { type Static, Type } from '@sinclair/typebox';
import { shownWebhook } from '../shown-url.js';

const payload = Type.Object({
  url: Type.String(),
  headers: Type.Record(Type.String(), Type.String()),
  body: Type.String(),
});
export type DeliverWebhookPayload = Static<typeof payload>;

/** Maximum time of a delivery in the queue, in milliseconds. Afterwards it counts as lost and is attempted again. */
export const WEBHOOK_IN_QUEUE_MS = 600_000;

/**
 * Sends one message to a webhook. It belongs to no job and no agent, and is retried on the schedule of deliveries.
 */
export const deliverWebhook = {
  payload,
  timeout: 1,
  slots: 1,
  target: ({ url }: DeliverWebhookPayload) => shownWebhook(url),
  counter: {
    name: 'webhook_attempts_total',
    help: 'Attempts to call a webhook, by outcome: succeeded (any response), or failure code',
  },
};
