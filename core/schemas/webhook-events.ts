import type { JsonObject } from './json.js';
import { limits } from './limits.js';

/** What a webhook can be told of, with when that is. */
export const webhookEvents = {
  'job.completed': 'A job has ended, and at least one of its tasks worked',
  'job.failed': 'A job has ended, and all of its tasks failed',
  'source.failed': `A page, file or sitemap could not be read; only the first ${limits.webhooks.failuresOfJob} of a job are sent`,
  'quota.near': `The storage of the workspace is ${limits.webhooks.nearPercent} % full, or it has ${limits.webhooks.nearPercent} % of its agents`,
} as const;

export type WebhookEventType = keyof typeof webhookEvents;

export const webhookEventTypes = Object.keys(webhookEvents) as readonly WebhookEventType[];

/** What a test sends, whatever a webhook wants to be told of. */
export const TEST_EVENT = 'webhook.test';

/** Something has happened. `at` in Unix seconds; `data` holds ids and small values only. */
export interface WebhookEvent {
  type: WebhookEventType | typeof TEST_EVENT;
  at: number;
  data: JsonObject;
}

/** What is sent of it. */
export const webhookBody = ({ type, at, data }: WebhookEvent): string =>
  JSON.stringify({ type, timestamp: at, data });
