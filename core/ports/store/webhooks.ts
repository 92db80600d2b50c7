import type { WebhookEvent, WebhookEventType } from '../../schemas/webhook-events.js';
import type { PageRequest } from './pages.js';
import type { StoredResponse } from './stored-responses.js';

export const disabledReasons = ['FAILING', 'GONE'] as const;
type DisabledReason = (typeof disabledReasons)[number];

export interface WebhookRow {
  id: string;
  workspaceId: string;
  url: string;
  description: string;
  events: WebhookEventType[];
  enabled: boolean;
  /** Why the service disabled the webhook; null if it is enabled or was disabled by a client. */
  disabledReason: DisabledReason | null;
  /** Encrypted, or in plain text if an older version stored it. */
  secret: string;
  /** The secret before the rotation, stored like `secret`. It also signs until `previousUntil` (Unix seconds). */
  previousSecret: string | null;
  previousUntil: number | null;
  /** Start of the current series of failures; null after a success. */
  failingSinceMs: number | null;
  createdAt: number;
}

export const deliveryStatuses = ['pending', 'sending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export interface DeliveryRow {
  /** Also sent as the header `webhook-id` of all attempts. */
  id: string;
  webhookId: string;
  workspaceId: string;
  event: WebhookEvent['type'];
  body: string;
  status: DeliveryStatus;
  /** Number of the current or last attempt. Never reset. */
  attempts: number;
  /** Number of attempts since the delivery was created or last resent by request. */
  tries: number;
  dueAtMs: number;
  /** While sending: without a heartbeat until this time, the attempt counts as lost. */
  leaseUntilMs: number | null;
  /** Latest time at which an attempt may start. */
  expiresAtMs: number;
  createdAt: number;
  lastAttemptAt: number | null;
  endedAt: number | null;
  /** HTTP status of the last response; null if there was none. */
  answerStatus: number | null;
  /** Beginning of the body of the last response. */
  answerBody: string | null;
  errorCode: string | null;
  errorMessage: string | null;
}

export type Attempt = Pick<DeliveryRow, 'id' | 'attempts'>;

/** Changes of the delivery and its webhook after an attempt. */
export interface Settlement {
  delivery: Partial<DeliveryRow>;
  webhook: Partial<WebhookRow>;
}

/**
 * Webhooks and their deliveries. `response` is stored in the same transaction as the change. Methods with a `response`
 * reject with KeyTaken if its key was used before.
 */
export interface Webhooks {
  /** Returns all webhooks, newest first. */
  list(workspaceId: string): Promise<WebhookRow[]>;
  find(workspaceId: string, webhookId: string): Promise<WebhookRow | null>;
  /** Returns false, and does nothing, if the workspace has `most` webhooks. */
  create(row: WebhookRow, most: number, response?: StoredResponse): Promise<boolean>;
  /**
   * Updates the webhook and returns it; null if it does not exist. Disabling it ends its pending deliveries. `now` is
   * in Unix seconds. Rejects with SecretChanged and does nothing if the current secret is not `secretBefore`.
   */
  update(
    workspaceId: string,
    webhookId: string,
    patch: Partial<WebhookRow> & { now: number; secretBefore?: string },
    response?: StoredResponse,
  ): Promise<WebhookRow | null>;
  /** Deletes the webhook with its deliveries. Returns false if it does not exist. */
  delete(workspaceId: string, webhookId: string): Promise<boolean>;

  /** Returns up to `limit` + 1 deliveries, newest first. */
  deliveries(webhookId: string, page: PageRequest, status: DeliveryStatus | null): Promise<DeliveryRow[]>;
  countDeliveries(webhookId: string, status: DeliveryStatus | null): Promise<number>;
  delivery(webhookId: string, deliveryId: string): Promise<DeliveryRow | null>;
  /**
   * Adds a delivery. Does nothing if the webhook is deleted or disabled (`off`), or already has `most` open deliveries
   * of this event (`full`).
   */
  addDelivery(row: DeliveryRow, response?: StoredResponse, most?: number): Promise<'added' | 'full' | 'off'>;
  /** Sends the delivery again, unless it is open, or its webhook is deleted or disabled. */
  sendAgain(
    delivery: DeliveryRow,
    patch: Pick<DeliveryRow, 'dueAtMs' | 'expiresAtMs'>,
    response?: StoredResponse,
  ): Promise<void>;

  /**
   * Begins attempts of up to `limit` deliveries that are due or whose lease ended at `lostUpToMs` or before. Limits the
   * attempts in progress: at most `each` per webhook, and at most the workspace's share of `window`, but at least one.
   * Concurrent callers get different deliveries.
   */
  begin(
    now: { ms: number; lostUpToMs: number; leaseUntilMs: number },
    limits: { each: number; window: number; limit: number },
  ): Promise<{ delivery: DeliveryRow; webhook: WebhookRow }[]>;
  /** Returns false if this is not the running attempt. */
  extendLease(attempt: Attempt, untilMs: number): Promise<boolean>;
  /** Cancels an attempt that the queue has refused. The attempt does not count. The next one begins at `dueAtMs`. */
  putOff(attempt: Attempt, dueAtMs: number): Promise<void>;
  /** Records the end of an attempt. Returns false and does nothing if it is not the running one. */
  settle(
    attempt: Attempt,
    end: (now: { delivery: DeliveryRow; webhook: WebhookRow }) => Settlement,
  ): Promise<boolean>;
  /** Returns the secrets of up to `limit` webhooks with ids after this one, by id. */
  secretsAfter(
    webhookId: string,
    limit: number,
  ): Promise<Pick<WebhookRow, 'id' | 'secret' | 'previousSecret'>[]>;
  /** Does nothing if the secrets have changed. */
  replaceSecrets(
    before: Pick<WebhookRow, 'id' | 'secret' | 'previousSecret'>,
    secrets: Pick<WebhookRow, 'secret' | 'previousSecret'>,
  ): Promise<void>;
  /** Deletes up to `limit` deliveries that ended before this second, oldest first. Returns how many. */
  forget(endedBefore: number, limit: number): Promise<number>;
  /** Ends the leases of all deliveries in progress. For a queue that has lost its messages. */
  forgetSending(): Promise<void>;
}
