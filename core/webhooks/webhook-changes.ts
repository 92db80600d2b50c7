import { v7 as uuidv7 } from 'uuid';
import { MAX_SOURCE_URL, parseSourceUrl, type SourceUrl } from '../knowledge/urls/source-url.js';
import type { WebhookRow } from '../ports/store/webhooks.js';
import {
  TEST_EVENT,
  type WebhookEvent,
  type WebhookEventType,
  webhookEventTypes,
} from '../schemas/webhook-events.js';
import type { Keyring } from '../secrets/keyring.js';
import { newWebhookSecret } from './signature.js';
import { sealSecret } from './webhook-secrets.js';

/** Time after a rotation in which both secrets sign, in seconds. */
export const ROTATION_S = 86_400;

/**
 * Normalises the URL of a webhook, or returns why it is not allowed. `allowPrivateAddresses` allows any http or https
 * URL.
 */
export function webhookUrl(text: string, allowPrivateAddresses: boolean): SourceUrl {
  const parsed = parseSourceUrl(text);
  if (parsed.ok || !allowPrivateAddresses || !URL.canParse(text)) return parsed;
  const url = new URL(text);
  const isWeb = /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isWeb && url.href.length <= MAX_SOURCE_URL ? { ok: true, url: url.href } : parsed;
}

/** Returns the row of a new webhook, and its secret in plain text. `now` is in Unix seconds. */
export function newWebhook(
  workspaceId: string,
  wanted: { url: string; events?: WebhookEventType[] | undefined; description?: string | undefined },
  { keyring, now }: { keyring: Pick<Keyring, 'seal'>; now: number },
): { row: WebhookRow; secret: string } {
  const id = uuidv7();
  const secret = newWebhookSecret();
  const row = {
    id,
    workspaceId,
    url: wanted.url,
    description: wanted.description ?? '',
    events: wanted.events ?? [...webhookEventTypes],
    enabled: true,
    disabledReason: null,
    secret: sealSecret(keyring, id, secret),
    previousSecret: null,
    previousUntil: null,
    failingSinceMs: null,
    createdAt: now,
  };
  return { row, secret };
}

/** Returns the changes that rotate a webhook's secret, and the new secret in plain text. `now` is in Unix seconds. */
export function rotated(
  { id, secret: before }: Pick<WebhookRow, 'id' | 'secret'>,
  { keyring, now }: { keyring: Pick<Keyring, 'seal'>; now: number },
) {
  const secret = newWebhookSecret();
  const patch = {
    secret: sealSecret(keyring, id, secret),
    previousSecret: before,
    previousUntil: now + ROTATION_S,
  };
  return { patch, secret };
}

/**
 * Returns the time (Unix seconds) until which the previous secret also signs; null if it no longer does. Another
 * rotation before that time would break receivers that still use the previous secret.
 */
export const bothSignUntil = (
  { previousSecret, previousUntil }: Pick<WebhookRow, 'previousSecret' | 'previousUntil'>,
  now: number,
): number | null =>
  previousSecret !== null && previousUntil !== null && previousUntil > now ? previousUntil : null;

/** Returns the changes that enable or disable a webhook and reset its failures. */
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
