import type { Migration } from './migration.js';

/**
 * Room for encrypted secrets of webhooks. A sweep encrypts those of older versions, because a migration has no key. The
 * columns stay wide on the way back, because they may hold encrypted secrets.
 */
export const sealedWebhookSecrets: Migration = {
  name: '032-sealed-webhook-secrets',
  up: ({ ascii, widen }) => [
    ...widen('webhooks', 'secret', `${ascii(255)} NOT NULL`),
    ...widen('webhooks', 'previous_secret', `${ascii(255)} NULL`),
  ],
  down: () => [],
};
