import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Generates a secret for signing messages and verifying them. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

const sign = (secret: string, content: string): string =>
  `v1,${createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
    .update(content)
    .digest('base64')}`;

/**
 * Returns the headers of a message, with a signature for each secret. `at` is in Unix seconds.
 *
 * @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
 */
export const signedHeaders = (
  { id, at, body }: { id: string; at: number; body: string },
  secrets: readonly string[],
): Record<string, string> => ({
  'webhook-id': id,
  'webhook-timestamp': String(at),
  'webhook-signature': secrets.map((secret) => sign(secret, `${id}.${at}.${body}`)).join(' '),
});
