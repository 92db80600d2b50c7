import type { Span } from '../../ports/tracing.port.js';
import type { Ids } from '../../tracing/trail.js';
import type { Message } from './messages.js';

/** A request with an Idempotency-Key. Its response is stored in the turn that handles it. */
export interface Once<Reply> {
  keyHash: string;
  fingerprint: string;
  responseOf: (reply: Reply) => { status: number; body: object };
  /** Unix seconds at which the response expires, if earlier than after a day. */
  expiresAt?: number;
}

/** A message with its metadata. */
export interface Envelope {
  message: Message;
  once: Once<unknown> | undefined;
  ids: Ids;
  span: Span | null;
  /** Milliseconds, from `performance.now()`. */
  sentAt: number;
}
