import { refusalOfUrl } from '../../core/knowledge/urls/source-url.js';
import { TaskFailure } from '../../core/tasks/failures.js';
import { type DeliverWebhookPayload, WEBHOOK_IN_QUEUE_MS } from '../../core/tasks/types/deliver-webhook.js';
import type { Outcome } from '../../core/tasks/wire.js';
import type { CrawlSettings } from '../crawl/crawl-settings.js';
import { retryAfterMs } from '../crawl/http-verdict.js';
import { type Network, systemNetwork } from '../crawl/network.js';
import { createOutboundClient, type ResponseHead } from '../crawl/outbound-client.js';
import type { Visit } from '../crawl/visits.js';

export interface WebhookSettings {
  /** Timeout of an attempt, in milliseconds. */
  timeoutMs: number;
  /** Allows receivers on this machine or in a private network. */
  allowPrivateAddresses: boolean;
}

export interface WebhookSender {
  /**
   * Sends a message and returns the receiver's response, with any status. Throws TaskFailure if there is no response,
   * or the signal's reason if it aborts.
   */
  deliver(payload: DeliverWebhookPayload, signal: AbortSignal): Promise<Outcome>;
  close(): Promise<void>;
}

/** Maximum stored bytes of a response. */
const RESPONSE_BYTES = 1000;

const tooOld = (): TaskFailure =>
  new TaskFailure('TASK_FAILED', {
    message: `The message waited in the queue for more than ${WEBHOOK_IN_QUEUE_MS / 60_000} minutes, or the clock of this worker is wrong. Check the workers and their clocks.`,
  });

/** Deliveries wait only for slots, not for hosts. */
const noHostQueue: Visit = { enter: async () => () => {}, end: () => {} };

/**
 * Creates a sender of webhook messages. The rules for addresses are those for pages, unless private addresses are
 * allowed.
 */
export function createWebhookSender(
  crawl: CrawlSettings,
  { timeoutMs, allowPrivateAddresses }: WebhookSettings,
  { network = systemNetwork, now = Date.now }: { network?: Network; now?: () => number } = {},
): WebhookSender {
  const anywhere = { network: { ...network, isPublic: () => true }, refusalOf: () => null };
  const { network: reached, refusalOf } = allowPrivateAddresses
    ? anywhere
    : { network, refusalOf: refusalOfUrl };
  const client = createOutboundClient({ ...crawl, timeoutMs }, reached, refusalOf);
  return {
    async deliver({ url, headers, body }, signal) {
      // After hours without a worker, do not send all outdated copies of a message.
      if (now() - Number(headers['webhook-timestamp']) * 1000 > WEBHOOK_IN_QUEUE_MS) throw tooOld();
      let head: ResponseHead | undefined;
      const outcomeOf = (bytes: Uint8Array): Outcome => {
        const { status, header } = head as ResponseHead;
        const wait = retryAfterMs(header('retry-after'), now());
        return {
          kind: 'answered',
          status,
          body: new TextDecoder()
            .decode(bytes)
            .replace(/\p{Cc}/gu, ' ')
            .toWellFormed(),
          ...(wait === undefined ? {} : { retryAfterMs: wait }),
        };
      };
      try {
        const { bytes } = await client.fetch({
          url,
          accept: '*/*',
          send: {
            headers: { ...headers, 'content-type': 'application/json', 'accept-encoding': 'identity' },
            body,
          },
          // Do not follow redirects: the owner must update the URL of a moved webhook.
          maxRedirects: 0,
          followRedirects: false,
          visit: noHostQueue,
          maxBytes: RESPONSE_BYTES,
          overflow: 'truncate',
          admit(seen) {
            head = seen;
            return true;
          },
          signal,
        });
        return outcomeOf(bytes);
      } catch (error) {
        // The status counts even if the body cannot be read.
        if (head && error instanceof TaskFailure) return outcomeOf(new Uint8Array());
        throw error;
      }
    },
    close: () => client.close(),
  };
}
