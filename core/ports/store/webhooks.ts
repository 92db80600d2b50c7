import type { WebhookEvent, WebhookEventType } from '../../schemas/webhook-events.js';
import type { KeptAnswer } from './kept-answers.js';
import type { PageRequest } from './pages.js';

export const disabledReasons = ['FAILING', 'GONE'] as const;
export type DisabledReason = (typeof disabledReasons)[number];

export interface WebhookRow {
  id: string;
  workspaceId: string;
  url: string;
  description: string;
  events: WebhookEventType[];
  enabled: boolean;
  /** Why we have disabled it; null when somebody else did, or nobody. */
  disabledReason: DisabledReason | null;
  secret: string;
  /** The one before, which signs as well until `previousUntil` (Unix seconds). */
  previousSecret: string | null;
  previousUntil: number | null;
  /** Since when nothing has arrived; null after a success. */
  failingSinceMs: number | null;
  createdAt: number;
}

export const deliveryStatuses = ['pending', 'sending', 'delivered', 'failed'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

export interface DeliveryRow {
  /** Also the `webhook-id` of what is sent: the same with every attempt. */
  id: string;
  webhookId: string;
  workspaceId: string;
  event: WebhookEvent['type'];
  /** As it is sent. */
  body: string;
  status: DeliveryStatus;
  /** Number of the attempt that runs or ran last; it never goes back. */
  attempts: number;
  /** Attempts since it was made, or was to be sent again. */
  tries: number;
  dueAtMs: number;
  /** Sending: the attempt is lost when nothing is heard until then. */
  leaseUntilMs: number | null;
  /** No attempt begins later. */
  expiresAtMs: number;
  createdAt: number;
  lastAttemptAt: number | null;
  endedAt: number | null;
  /** HTTP status of the last answer; null when there was none. */
  answerStatus: number | null;
  /** How its body begins. */
  answerBody: string | null;
  errorCode: string | null;
  errorMessage: string | null;
}

export type Attempt = Pick<DeliveryRow, 'id' | 'attempts'>;

/** What an attempt changes: of its delivery, and of the webhook. */
export interface Settlement {
  delivery: Partial<DeliveryRow>;
  webhook: Partial<WebhookRow>;
}

/**
 * Webhooks and what is sent to them. `answer` is stored with the change; methods that take one reject with
 * KeyTaken when its key was used before.
 */
export interface Webhooks {
  /** Of a workspace, newest first. */
  list(workspaceId: string): Promise<WebhookRow[]>;
  find(workspaceId: string, webhookId: string): Promise<WebhookRow | null>;
  /** False, and nothing done, when the workspace has `most` or more. */
  create(row: WebhookRow, most: number, answer?: KeptAnswer): Promise<boolean>;
  /**
   * The webhook after the change; null when there is none. A webhook that is disabled gives up what waits for it.
   * `now` in Unix seconds. Rejects with SecretChanged, with nothing done, when its secret is not `secretBefore`.
   */
  update(
    workspaceId: string,
    webhookId: string,
    patch: Partial<WebhookRow> & { now: number; secretBefore?: string },
    answer?: KeptAnswer,
  ): Promise<WebhookRow | null>;
  /** With what waits for it; false when there is none. */
  delete(workspaceId: string, webhookId: string): Promise<boolean>;

  /** Up to `limit` + 1 of them, newest first. */
  deliveries(webhookId: string, page: PageRequest, status: DeliveryStatus | null): Promise<DeliveryRow[]>;
  countDeliveries(webhookId: string, status: DeliveryStatus | null): Promise<number>;
  delivery(webhookId: string, deliveryId: string): Promise<DeliveryRow | null>;
  /**
   * Does nothing when the webhook is deleted or disabled (`off`), or has `most` open ones of this
   * event, or more (`full`).
   */
  addDelivery(row: DeliveryRow, answer?: KeptAnswer, most?: number): Promise<'added' | 'full' | 'off'>;
  /** Sends it once more, unless it is under way, or its webhook is deleted or disabled. */
  sendAgain(
    delivery: DeliveryRow,
    patch: Pick<DeliveryRow, 'dueAtMs' | 'expiresAtMs'>,
    answer?: KeptAnswer,
  ): Promise<void>;

  /**
   * Begins the next attempt of due deliveries, and of deliveries whose lease ended at `lostUpToMs` or before, at most
   * `limit` in one call. At most `each` of a webhook are under way, and of a workspace no more than its share of
   * `window`, but always one. Simultaneous callers get different deliveries.
   */
  begin(
    now: { ms: number; lostUpToMs: number; leaseUntilMs: number },
    limits: { each: number; window: number; limit: number },
  ): Promise<{ delivery: DeliveryRow; webhook: WebhookRow }[]>;
  /** False when the attempt is not the one that runs. */
  extendLease(attempt: Attempt, untilMs: number): Promise<boolean>;
  /** Takes back an attempt that the queue has not taken: it does not count, and the next one begins at `dueAtMs`. */
  putOff(attempt: Attempt, dueAtMs: number): Promise<void>;
  /** Writes how an attempt has ended; false, and nothing, when it is not the one that runs. */
  settle(
    attempt: Attempt,
    end: (now: { delivery: DeliveryRow; webhook: WebhookRow }) => Settlement,
  ): Promise<boolean>;
  /** Deletes up to `limit` deliveries that ended before this second, oldest first. Returns how many. */
  forget(endedBefore: number, limit: number): Promise<number>;
  /** For a queue that forgot everything: what was under way is lost, whatever its lease. */
  forgetSending(): Promise<void>;
}
