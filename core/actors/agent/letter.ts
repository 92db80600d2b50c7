import type { Span } from '../../ports/tracing.port.js';
import type { Ids } from '../../tracing/trail.js';
import type { Message } from './messages.js';

/** A request that may come twice: its answer is kept in the turn that does what it asks for. */
export interface Once<Reply> {
  keyHash: string;
  fingerprint: string;
  answerOf: (reply: Reply) => { status: number; body: object };
  /** Unix seconds from which the answer is of no use; others are kept for a day. */
  keptUntil?: number;
}

/** A message on its way to its actor. */
export interface Letter {
  message: Message;
  once: Once<unknown> | undefined;
  ids: Ids;
  span: Span | null;
  /** By `performance.now()`. */
  sentAt: number;
}
