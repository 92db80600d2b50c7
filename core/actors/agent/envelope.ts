import type { ChangeContext } from '../../ports/store/audit.js';
import type { Span } from '../../ports/tracing.port.js';
import type { Ids } from '../../tracing/trail.js';
import type { Message } from './messages.js';

/** A request with an Idempotency-Key. Its response is stored in the turn that handles it. */
export interface Once<Reply> {
  keyHash: string;
  fingerprint: string;
  responseOf: (reply: Reply) => { status: number; body: object };
  /** When the response expires, in Unix seconds; after a day if absent. */
  expiresAt?: number;
}

/** A message with its metadata. */
export interface Envelope {
  message: Message;
  once: Once<unknown> | undefined;
  /** The request whose change is audited; null for other messages. */
  change: ChangeContext | null;
  ids: Ids;
  span: Span | null;
  /** Time of sending, from `performance.now()`. */
  sentAt: number;
}
