import { v7 as uuidv7 } from 'uuid';
import { MAX_SOURCE_URL, parseSourceUrl, type SourceUrl } from '../knowledge/source-url.js';
import type { WebhookRow } from '../ports/store/webhooks.js';
import {
  TEST_EVENT,
  type WebhookEvent,
  type WebhookEventType,
  webhookEventTypes,
} from '../schemas/webhook-events.js';
import { newWebhookSecret } from './signature.js';

/** How long both secrets sign after a rotation. */
const ROTATION_S = 86_400;

/**
 * The URL of a webhook in its normal form, or why it cannot be one. Where private addresses are allowed, any
 * http or https URL is fine.
 */
export function webhookUrl(text: string, allowPrivateAddresses: boolean): SourceUrl {
  const parsed = parseSourceUrl(text);
  if (parsed.ok || !allowPrivateAddresses || !URL.canParse(text)) return parsed;
  const url = new URL(text);
  const isWeb = /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isWeb && url.href.length <= MAX_SOURCE_URL ? { ok: true, url: url.href } : parsed;
}

/** `now` in Unix seconds. */
export const newWebhook = (
  workspaceId: string,
  wanted: { url: string; events?: WebhookEventType[] | undefined; description?: string | undefined },
  now: number,
): WebhookRow => ({
  id: uuidv7(),
  workspaceId,
  url: wanted.url,
  description: wanted.description ?? '',
  events: wanted.events ?? [...webhookEventTypes],
  enabled: true,
  disabledReason: null,
  secret: newWebhookSecret(),
  previousSecret: null,
  previousUntil: null,
  failingSinceMs: null,
  createdAt: now,
});

/** A new secret; the one before signs as well for a day. */
export const rotated = ({ secret }: Pick<WebhookRow, 'secret'>, now: number) => ({
  secret: newWebhookSecret(),
  previousSecret: secret,
  previousUntil: now + ROTATION_S,
});

/**
 * Until when (Unix seconds) the secret before signs as well; null when none does. Receivers may still use it,
 * and a rotation before then would drop it.
 */
export const bothSignUntil = (
  { previousSecret, previousUntil }: Pick<WebhookRow, 'previousSecret' | 'previousUntil'>,
  now: number,
): number | null =>
  previousSecret !== null && previousUntil !== null && previousUntil > now ? previousUntil : null;

/** One that is enabled starts with a clean slate. */
export const switched = (enabled: boolean): Partial<WebhookRow> => ({
  enabled,
  disabledReason: null,
  failingSinceMs: null,
});

export const testEvent = (webhookId: string, now: number): WebhookEvent => ({
  type: TEST_EVENT,
  at: now,
  data: { webhookId },
});
