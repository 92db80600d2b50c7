import type { JsonObject } from './json.js';
import { limits } from './limits.js';

/** Events that a webhook can subscribe to, with their descriptions. */
export const webhookEvents = {
  'answer.completed': 'An answer in a conversation has ended with an outcome',
  'channel.reconnect_required':
    'The platform no longer accepts the token of an agent: nothing is sent until it is connected again',
  'contact.created': 'A visitor has sent contact details',
  'evaluation.completed': 'An evaluation has ended, unless it was cancelled',
  'handover.ended':
    'People no longer answer in a conversation. `reason`: `agent` (handed back), `closed`, `cancelled` (by the visitor) or `timeout`',
  'handover.requested': 'A visitor has asked for a person',
  'job.completed': 'A job has ended, and at least one of its tasks succeeded',
  'job.failed': 'A job has ended, and all of its tasks failed',
  'message.created': 'A person has written a message in place of the agent',
  'source.failed': `A page, file or sitemap could not be read; only the first ${limits.webhooks.failuresOfJob} failures of a job are sent`,
  'quota.near': `The workspace has used ${limits.webhooks.nearPercent} % of its storage, of its agents or of its daily messages of visitors`,
} as const;

export type WebhookEventType = keyof typeof webhookEvents;

export const webhookEventTypes = Object.keys(webhookEvents) as readonly WebhookEventType[];

/** Type of the event that a test sends, regardless of the subscribed events. */
export const TEST_EVENT = 'webhook.test';

/** `at` is in Unix seconds. `data` contains only ids and small values. */
export interface WebhookEvent {
  type: WebhookEventType | typeof TEST_EVENT;
  at: number;
  data: JsonObject;
}

export const webhookBody = ({ type, at, data }: WebhookEvent): string =>
  JSON.stringify({ type, timestamp: at, data });
