import { type Clock, seconds } from '../ports/clock.port.js';
import type { WebhookRow, Webhooks } from '../ports/store/webhooks.js';
import type { Keyring } from '../secrets/keyring.js';
import { openText, sealText } from '../secrets/sealed-text.js';

/**
 * Prefix of secrets in plain text, which older versions stored. Base64 has no underscore, so encrypted secrets never
 * start with it.
 */
const CLEAR = 'whsec_';

/** Encrypts the secret of a webhook for storage. */
export const sealSecret = (keyring: Pick<Keyring, 'seal'>, webhookId: string, secret: string): string =>
  sealText(keyring, webhookId, secret);

/** Decrypts a stored secret. Throws SecretUnreadable. */
export const openSecret = (keyring: Pick<Keyring, 'open'>, webhookId: string, stored: string): string =>
  stored.startsWith(CLEAR) ? stored : openText(keyring, webhookId, stored);

/**
 * Delay of the first pass after the start, in seconds, so that a rolling upgrade has ended by then. Processes of an
 * older version cannot decrypt secrets, and a wrong signature may make a receiver return 410, which disables its
 * webhook.
 */
const FIRST_PASS_S = 3600;
/**
 * Pause between passes, in seconds. Passes repeat, because an older process may still store secrets in plain text.
 */
const PASS_S = 600;
const BATCH = 100;

interface SealingOptions {
  webhooks: Pick<Webhooks, 'secretsAfter' | 'replaceSecrets'>;
  keyring: Keyring;
  clock: Clock;
}

/**
 * Returns a function that encrypts a batch of secrets that are stored in plain text or with a previous key. It
 * resolves to whether there may be more.
 */
export function createSecretSealing({ webhooks, keyring, clock }: SealingOptions): () => Promise<boolean> {
  let nextPassAt = seconds(clock.now()) + FIRST_PASS_S;
  let after = '';

  function current(id: string, stored: string): string {
    if (!stored.startsWith(CLEAR) && keyring.isCurrent(Buffer.from(stored, 'base64'))) return stored;
    return sealSecret(keyring, id, openSecret(keyring, id, stored));
  }

  /**
   * Returns the re-encrypted secret. If no key can decrypt it, it stays unchanged, because the key may be configured
   * later.
   */
  function readable(id: string, stored: string): string {
    try {
      return current(id, stored);
    } catch {
      return stored;
    }
  }

  return async () => {
    if (seconds(clock.now()) < nextPassAt) return false;
    const found: Pick<WebhookRow, 'id' | 'secret' | 'previousSecret'>[] = await webhooks.secretsAfter(
      after,
      BATCH,
    );
    for (const before of found) {
      const secret = readable(before.id, before.secret);
      const previousSecret = before.previousSecret && readable(before.id, before.previousSecret);
      if (secret !== before.secret || previousSecret !== before.previousSecret)
        await webhooks.replaceSecrets(before, { secret, previousSecret });
    }
    const isLast = found.length < BATCH;
    after = isLast ? '' : (found.at(-1)?.id ?? '');
    if (isLast) nextPassAt = seconds(clock.now()) + PASS_S;
    return !isLast;
  };
}
