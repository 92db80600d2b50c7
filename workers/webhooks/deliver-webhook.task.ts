import { refusalOfUrl } from '../../core/knowledge/source-url.js';
import { TaskFailure } from '../../core/tasks/failures.js';
import { type DeliverWebhookPayload, WEBHOOK_IN_QUEUE_MS } from '../../core/tasks/task-types.js';
import type { Outcome } from '../../core/tasks/wire.js';
import type { CrawlSettings } from '../crawl/crawl-settings.js';
import { retryAfterMs } from '../crawl/http-verdict.js';
import { type Network, systemNetwork } from '../crawl/network.js';
import { createOutboundClient, type ResponseHead } from '../crawl/outbound-client.js';
import type { Visit } from '../crawl/visits.js';

export interface WebhookSettings {
  /** One attempt in all. Milliseconds. */
  timeoutMs: number;
  /** Receivers may be on this machine or in a private network. */
  allowPrivateAddresses: boolean;
}

export interface WebhookSender {
  /**
   * Resolves to the answer, whatever it is; throws TaskFailure when there is none, or the reason of the
   * signal when that is aborted.
   */
  deliver(payload: DeliverWebhookPayload, signal: AbortSignal): Promise<Outcome>;
  close(): Promise<void>;
}

/** What is kept of an answer. */
const ANSWER_BYTES = 1000;

const tooOld = (): TaskFailure =>
  new TaskFailure('TASK_FAILED', {
    message: `The message waited in the queue for more than ${WEBHOOK_IN_QUEUE_MS / 60_000} minutes, or the clock of this worker is wrong.`,
  });

/** Slots are all that messages wait for. */
const withoutLine: Visit = { enter: async () => () => {}, end: () => {} };

/** Sends messages to webhooks, under the rules of addresses that hold for pages. */
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
      // After hours without a worker, its copies would all arrive at once.
      if (now() - Number(headers['webhook-timestamp']) * 1000 > WEBHOOK_IN_QUEUE_MS) throw tooOld();
      let head: ResponseHead | undefined;
      const answered = (bytes: Uint8Array): Outcome => {
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
          // A webhook that moves is changed by its owner, so redirects are not followed.
          maxRedirects: 0,
          followRedirects: false,
          visit: withoutLine,
          maxBytes: ANSWER_BYTES,
          overflow: 'truncate',
          admit(seen) {
            head = seen;
            return true;
          },
          signal,
        });
        return answered(bytes);
      } catch (error) {
        // The status counts, also when what follows cannot be read.
        if (head && error instanceof TaskFailure) return answered(new Uint8Array());
        throw error;
      }
    },
    close: () => client.close(),
  };
}
