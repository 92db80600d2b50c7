import { type Clock, seconds } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import { logSummary } from '../ports/log-summary.js';
import type { Queue } from '../ports/queue.port.js';
import type { Attempt, DeliveryRow, WebhookRow, Webhooks } from '../ports/store/webhooks.js';
import { type Keyring, SecretUnreadable } from '../secrets/keyring.js';
import { type DeliveryEvent, type DeliveryMessage, encodeDelivery } from '../tasks/delivery-envelope.js';
import { failureKinds } from '../tasks/failures.js';
import { createLeaseTrust } from '../tasks/lease-trust.js';
import { WEBHOOK_IN_QUEUE_MS } from '../tasks/types/deliver-webhook.js';
import { type TaskMessage, WIRE_VERSION } from '../tasks/wire.js';
import { type AttemptEnd, type Outcome, settlementOf } from './attempts.js';
import { signedHeaders } from './signature.js';
import { bothSignUntil } from './webhook-changes.js';
import { createSecretSealing, openSecret } from './webhook-secrets.js';

interface DeliveriesOptions {
  webhooks: Webhooks;
  queue: Pick<Queue, 'publish'>;
  keyring: Keyring;
  /** Id of this installation, sent with each message. */
  installation: string;
  clock: Clock;
  /** Maximum concurrent attempts of all workspaces. */
  window: number;
  /** Time without a heartbeat after which an attempt counts as lost. */
  leaseMs: number;
  disableAfterMs: number;
  /** Retention of ended deliveries in days; null keeps them for ever. */
  keepDays: number | null;
  random: () => number;
  onOutcome: (outcome: Outcome) => void;
  log: Log;
}

export interface Deliveries {
  /** Publishes due deliveries. Resolves to whether there may be more. */
  round(): Promise<boolean>;
  /** Deletes a batch of old deliveries. Resolves to whether there may be more. */
  forget(): Promise<boolean>;
  /**
   * Encrypts a batch of secrets that are stored in plain text or with a previous key. Resolves to whether there may
   * be more.
   */
  seal(): Promise<boolean>;
  /** Flushes the log summaries. */
  end(): void;
  /** Stores a worker's event. Rejects if that fails. */
  receive(event: DeliveryEvent): Promise<void>;
}

/** Maximum concurrent attempts per webhook, so that a slow receiver delays only its own messages. */
const OF_WEBHOOK = 10;
const BATCH = 100;
const AGAIN_MS = 1000;
/**
 * Pause before the retry of a message whose webhook's secret cannot be decrypted. The message fails when it expires.
 */
const UNREADABLE_MS = 60_000;
const DAY_S = 86_400;

type Begun = { delivery: DeliveryRow; webhook: WebhookRow };

/** Publishes deliveries to workers, which send them. The rows of deliveries are the outbox. */
export function createDeliveries(options: DeliveriesOptions): Deliveries {
  const { webhooks, queue, keyring, clock, log } = options;
  const trust = createLeaseTrust(options.leaseMs, clock.now());

  const unsigned = logSummary<{ err: unknown; webhookId: string; workspaceId: string; messages: number }>({
    merge: (sum, next) => ({ ...next, messages: sum.messages + 1 }),
    write: (fields) =>
      log.warn(
        fields,
        'secrets of webhooks cannot be decrypted, so their messages cannot be signed; they are retried until they expire',
      ),
  });

  const settle = (event: DeliveryEvent, end: AttemptEnd): Promise<void> =>
    settleAttempt({ id: event.deliveryId, attempts: event.attempt }, end);

  const settleAttempt = async (attempt: Attempt, end: AttemptEnd): Promise<void> => {
    let report = (): void => {};
    const settled = await webhooks.settle(attempt, (now) => {
      const moment = { nowMs: clock.now(), random: options.random(), disableAfterMs: options.disableAfterMs };
      const { outcome, delivery, webhook } = settlementOf(now, end, moment);
      const { id: webhookId, workspaceId } = now.webhook;
      // Log after the commit, because the transaction may be retried.
      report = () => {
        options.onOutcome(outcome);
        if (webhook.enabled === false)
          log.warn(
            { webhookId, workspaceId, reason: webhook.disabledReason },
            'disabled a webhook because no message was delivered',
          );
      };
      return { delivery, webhook };
    });
    if (settled) report();
  };

  const extendLease = async ({ deliveryId, attempt }: DeliveryEvent): Promise<void> => {
    await webhooks.extendLease({ id: deliveryId, attempts: attempt }, clock.now() + options.leaseMs);
  };

  /** Puts the delivery off until it expires, because the key may be configured later. Then the delivery fails. */
  const waitForKey = (delivery: DeliveryRow, ms: number): Promise<void> =>
    delivery.expiresAtMs > ms
      ? webhooks.putOff(delivery, ms + UNREADABLE_MS)
      : settleAttempt(delivery, { kind: 'failed', ...unreadableSecret });

  /** Signs and encodes the messages. Returns deliveries with an unreadable secret separately. */
  function signed(begun: readonly Begun[], at: number) {
    const ready: { delivery: DeliveryRow; message: TaskMessage }[] = [];
    const unreadable: DeliveryRow[] = [];
    for (const one of begun)
      try {
        const message = { ...messageOf(one, keyring, at), installation: options.installation };
        ready.push({ delivery: one.delivery, message: encodeDelivery(message) });
      } catch (error) {
        if (!(error instanceof SecretUnreadable)) throw error;
        const { id: webhookId, workspaceId } = one.webhook;
        unsigned.add({ err: error, webhookId, workspaceId, messages: 1 });
        unreadable.push(one.delivery);
      }
    return { ready, unreadable };
  }

  return {
    seal: createSecretSealing({ webhooks, keyring, clock }),
    async round() {
      const ms = clock.now();
      const isTrusted = trust.at(ms);
      const begun = await webhooks.begin(
        { ms, lostUpToMs: isTrusted ? ms : 0, leaseUntilMs: ms + WEBHOOK_IN_QUEUE_MS },
        { each: OF_WEBHOOK, window: options.window, limit: BATCH },
      );
      trust.looked(isTrusted ? clock.now() : ms);
      if (begun.length === 0) return false;
      const { ready, unreadable } = signed(begun, seconds(ms));
      for (const delivery of unreadable) await waitForKey(delivery, ms);
      const taken = await queue.publish(ready.map(({ message }) => message)).catch((error: unknown) => {
        log.warn(
          { err: error, deliveries: ready.length },
          'the queue did not accept webhook messages; publishing them again',
        );
        return [];
      });
      // An attempt that was not published does not count and is published again.
      for (const [n, { delivery }] of ready.entries())
        if (!taken[n]) await webhooks.putOff(delivery, ms + AGAIN_MS);
      return begun.length === BATCH;
    },
    async forget() {
      if (options.keepDays === null) return false;
      return (await webhooks.forget(seconds(clock.now()) - options.keepDays * DAY_S, BATCH)) === BATCH;
    },
    end: () => unsigned.flush(),
    async receive(event) {
      switch (event.kind) {
        case 'started':
        case 'alive':
          return extendLease(event);
        case 'succeeded':
          if (event.outcome.kind === 'answered') return settle(event, event.outcome);
          return settle(event, { kind: 'failed', ...unexpected('TASK_FAILED') });
        case 'failed':
          return settle(event, {
            kind: 'failed',
            code: event.failure.code,
            message: event.failure.message,
          });
        default:
          return settle(event, { kind: 'failed', ...unexpected('WORKER_CRASHED') });
      }
    },
  };
}

const unreadableSecret = {
  code: 'SECRET_UNREADABLE',
  message:
    'The secret of the webhook cannot be decrypted, so its messages cannot be signed. Rotate the secret.',
};

const unexpected = (code: 'TASK_FAILED' | 'WORKER_CRASHED') => ({
  code,
  message: failureKinds[code].sentence,
});

/** Returns the signed message, so that workers need no secrets. Throws SecretUnreadable. */
function messageOf(
  { delivery, webhook }: Begun,
  keyring: Pick<Keyring, 'open'>,
  at: number,
): DeliveryMessage {
  const { id, body } = delivery;
  const secrets = [openSecret(keyring, webhook.id, webhook.secret)];
  if (webhook.previousSecret !== null && bothSignUntil(webhook, at) !== null)
    secrets.push(openSecret(keyring, webhook.id, webhook.previousSecret));
  return {
    v: WIRE_VERSION,
    deliveryId: id,
    webhookId: webhook.id,
    workspaceId: webhook.workspaceId,
    attempt: delivery.attempts,
    type: 'deliver_webhook',
    payload: { url: webhook.url, headers: signedHeaders({ id, at, body }, secrets), body },
    requestId: null,
  };
}
