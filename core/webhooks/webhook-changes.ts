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

/** How long both secrets sign after a rotation. */
export const ROTATION_S = 86_400;

/**
 * Normalises the URL of a webhook, or returns why it is not allowed. With `allowPrivateAddresses`, any http or https URL
 * is.
 */
export function webhookUrl(text: string, allowPrivateAddresses: boolean): SourceUrl {
  const parsed = parseSourceUrl(text);
  if (parsed.ok || !allowPrivateAddresses || !URL.canParse(text)) return parsed;
  const url = new URL(text);
  const isWeb = /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
  return isWeb && url.href.length <= MAX_SOURCE_URL ? { ok: true, url: url.href } : parsed;
}

/** Returns the row with the encrypted `secret`, and the secret. `now` in Unix seconds. */
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

/** Rotates the secret. Returns the changes, and the new secret. */
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
 * Returns until when (Unix seconds) the previous secret signs, too; null if it does not. A rotation before then would
 * break receivers that still use it.
 */
export const bothSignUntil = (
  { previousSecret, previousUntil }: Pick<WebhookRow, 'previousSecret' | 'previousUntil'>,
  now: number,
): number | null =>
  previousSecret !== null && previousUntil !== null && previousUntil > now ? previousUntil : null;

/** Resets the failures of an enabled webhook. */
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
