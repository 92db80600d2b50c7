import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { seconds } from '../ports/clock.port.js';
import type { OutgoingRow, Thread } from '../ports/store/channels/channel-flow.js';

type Given = Pick<OutgoingRow, 'agentId' | 'accountId' | 'kind' | 'text' | 'expiresAtMs'> &
  Partial<Pick<OutgoingRow, 'conversationId' | 'personId' | 'commentId' | 'messageId' | 'onceKey'>>;

/** Creates a message that is due at once. */
export const newMessage = (given: Given, nowMs: number): OutgoingRow => ({
  id: uuidv7(),
  conversationId: null,
  personId: null,
  commentId: null,
  messageId: null,
  onceKey: null,
  ...given,
  status: 'waiting',
  isCancelled: false,
  attempts: 0,
  error: null,
  upstreamHash: null,
  createdAt: seconds(nowMs),
  sentAt: null,
  endedAt: null,
  dueAtMs: nowMs,
  beganAtMs: null,
});

/** Creates a message to the person of a thread. It is cancelled from the start if the agent has lost the account. */
export function messageTo(
  { agentId, accountId, conversationId, personId, windowUntilMs: expiresAtMs, isConnected }: Thread,
  given: Pick<OutgoingRow, 'kind' | 'text'> & Partial<Pick<OutgoingRow, 'messageId' | 'onceKey'>>,
  nowMs: number,
): OutgoingRow {
  const message = newMessage({ ...given, agentId, accountId, conversationId, personId, expiresAtMs }, nowMs);
  return isConnected ? message : { ...message, status: 'cancelled', endedAt: seconds(nowMs) };
}

export const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');

const HOUR_MS = 3_600_000;
/** How long the platform accepts messages after a message of the person, less a minute in reserve. */
const WINDOW_MS = 24 * HOUR_MS - 60_000;
const REPLY_MS = 7 * 24 * HOUR_MS - 60_000;

/** Returns the end of the window in Unix milliseconds; `at` is in Unix seconds. */
export const windowAfter = (at: number): number => at * 1000 + WINDOW_MS;
export const replyWindowAfter = (at: number): number => at * 1000 + REPLY_MS;
