import { type Clock, seconds } from '../ports/clock.port.js';
import type { Log } from '../ports/log.port.js';
import type { Queue } from '../ports/queue.port.js';
import type { DeliveryRow, WebhookRow, Webhooks } from '../ports/store/webhooks.js';
import { type DeliveryEvent, type DeliveryMessage, encodeDelivery } from '../tasks/delivery-envelope.js';
import { failureKinds } from '../tasks/failures.js';
import { createLeaseTrust } from '../tasks/lease-trust.js';
import { WEBHOOK_IN_QUEUE_MS } from '../tasks/types/deliver-webhook.js';
import { WIRE_VERSION } from '../tasks/wire.js';
import { type AttemptEnd, type Outcome, settlementOf } from './attempts.js';
import { signedHeaders } from './signature.js';
import { bothSignUntil } from './webhook-changes.js';

interface DeliveriesOptions {
  webhooks: Webhooks;
  queue: Pick<Queue, 'publish'>;
  /** Installation id in messages. */
  installation: string;
  clock: Clock;
  /** Maximum concurrent attempts of all workspaces. */
  window: number;
  /** An attempt without a heartbeat for this long is lost. */
  leaseMs: number;
  disableAfterMs: number;
  /** Age at which ended deliveries are deleted; null keeps them. */
  keepDays: number | null;
  random: () => number;
  onOutcome: (outcome: Outcome) => void;
  log: Log;
}

export interface Deliveries {
  /** Publishes due deliveries. True if there may be more. */
  round(): Promise<boolean>;
  /** Deletes a batch of old deliveries. True if there may be more. */
  forget(): Promise<boolean>;
  /** Stores an event of a worker. Rejects if that fails. */
  receive(event: DeliveryEvent): Promise<void>;
}

/** Maximum concurrent attempts per webhook, so that a slow receiver delays only its own messages. */
const OF_WEBHOOK = 10;
const BATCH = 100;
const AGAIN_MS = 1000;
const DAY_S = 86_400;

/** Publishes deliveries, whose rows are the outbox, to the workers that send them. */
export function createDeliveries(options: DeliveriesOptions): Deliveries {
  const { webhooks, queue, clock, log } = options;
  const trust = createLeaseTrust(options.leaseMs, clock.now());

  const settle = async (event: DeliveryEvent, end: AttemptEnd): Promise<void> => {
    let tell = (): void => {};
    const settled = await webhooks.settle({ id: event.deliveryId, attempts: event.attempt }, (now) => {
      const moment = { nowMs: clock.now(), random: options.random(), disableAfterMs: options.disableAfterMs };
      const { outcome, delivery, webhook } = settlementOf(now, end, moment);
      const { id: webhookId, workspaceId } = now.webhook;
      // Log after the commit, because the transaction may be retried.
      tell = () => {
        options.onOutcome(outcome);
        if (webhook.enabled === false)
          log.warn(
            { webhookId, workspaceId, reason: webhook.disabledReason },
            'a webhook to which nothing arrives is disabled',
          );
      };
      return { delivery, webhook };
    });
    if (settled) tell();
  };

  const signOfLife = async ({ deliveryId, attempt }: DeliveryEvent): Promise<void> => {
    await webhooks.extendLease({ id: deliveryId, attempts: attempt }, clock.now() + options.leaseMs);
  };

  return {
    async round() {
      const ms = clock.now();
      const isTrusted = trust.at(ms);
      const begun = await webhooks.begin(
        { ms, lostUpToMs: isTrusted ? ms : 0, leaseUntilMs: ms + WEBHOOK_IN_QUEUE_MS },
        { each: OF_WEBHOOK, window: options.window, limit: BATCH },
      );
      trust.looked(isTrusted ? clock.now() : ms);
      if (begun.length === 0) return false;
      const taken = await queue
        .publish(
          begun.map((one) =>
            encodeDelivery({ ...messageOf(one, seconds(ms)), installation: options.installation }),
          ),
        )
        .catch((error: unknown) => {
          log.warn({ err: error, deliveries: begun.length }, 'the queue took no webhook messages');
          return [];
        });
      // An attempt that was not published does not count, and is published again.
      for (const [n, { delivery }] of begun.entries())
        if (!taken[n]) await webhooks.putOff(delivery, ms + AGAIN_MS);
      return begun.length === BATCH;
    },
    async forget() {
      if (options.keepDays === null) return false;
      return (await webhooks.forget(seconds(clock.now()) - options.keepDays * DAY_S, BATCH)) === BATCH;
    },
    async receive(event) {
      switch (event.kind) {
        case 'started':
        case 'alive':
          return signOfLife(event);
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

const unexpected = (code: 'TASK_FAILED' | 'WORKER_CRASHED') => ({
  code,
  message: failureKinds[code].sentence,
});

/** Signs the message, so that workers need no secrets. */
function messageOf(
  { delivery, webhook }: { delivery: DeliveryRow; webhook: WebhookRow },
  at: number,
): DeliveryMessage {
  const { id, body } = delivery;
  const secrets = [webhook.secret];
  if (webhook.previousSecret !== null && bothSignUntil(webhook, at) !== null)
    secrets.push(webhook.previousSecret);
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
