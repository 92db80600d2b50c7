import type { Migration } from './migration.js';

/**
 * Widens the columns for encrypted secrets of webhooks. A sweep encrypts those of older versions, because a migration
 * has no key. `down` keeps the columns wide and the secrets encrypted, which older versions cannot read. Going back needs
 * the backup, or each secret rotated.
 */
export const sealedWebhookSecrets: Migration = {
  name: '032-sealed-webhook-secrets',
  up: ({ ascii, widen }) => [
    ...widen('webhooks', 'secret', `${ascii(255)} NOT NULL`),
    ...widen('webhooks', 'previous_secret', `${ascii(255)} NULL`),
  ],
  down: () => [],
};
