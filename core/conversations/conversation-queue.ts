import { setTimeout as sleep } from 'node:timers/promises';
import { overloaded } from '../errors/api-error.js';
import type { Clock } from '../ports/clock.port.js';
import type { QueuedRequest } from '../ports/store/conversations/conversation-rows.js';
import {
  ConversationGone,
  type Conversations,
  type ConversationTurn,
} from '../ports/store/conversations/conversations.js';

/*
 * The queue of requests for a busy conversation. Its entries are rows that are written under the conversation's lock, so
 * that all processes agree on their number and order.
 */

const MAX_QUEUED = 4;
/** Lease of an entry, in milliseconds. It expires if the process of the request dies. */
export const QUEUED_LEASE_MS = 5000;
/** Interval between reads of the queue, in milliseconds. */
const POLL_MS = 150;

class ConversationBusy extends Error {
  override name = 'ConversationBusy';
}

/** Returns the error 503 of a busy conversation. */
const busy = () =>
  overloaded(new ConversationBusy('the conversation is busy, and its queue is full or too slow'));

export type QueueOutcome =
  /** The request is the first, and no answer is being written. */
  | { kind: 'go' }
  /** Null: the same request is queued already, and counts once. */
  | { kind: 'wait'; ticket: number | null };

/**
 * Lets a request proceed if the conversation is free and the request is first; otherwise queues it. `ticket` is null for a
 * request that is not queued yet. Throws 503 if the queue is full.
 */
export async function enterQueue(
  turn: ConversationTurn,
  {
    queued,
    ticket,
    keyHash,
    nowMs,
  }: { queued: readonly QueuedRequest[]; ticket: number | null; keyHash: string | null; nowMs: number },
): Promise<QueueOutcome> {
  const isQueued = ticket !== null && queued.some((entry) => entry.ticket === ticket);
  const first = queued[0];
  if (turn.conversation.activeMessageId === null && (first === undefined || first.ticket === ticket)) {
    if (isQueued) await turn.queue.leave(ticket);
    return { kind: 'go' };
  }
  if (isQueued) return { kind: 'wait', ticket };
  if (keyHash !== null && queued.some((entry) => entry.keyHash === keyHash))
    return { kind: 'wait', ticket: null };
  if (queued.length >= MAX_QUEUED) throw busy();
  return { kind: 'wait', ticket: await turn.queue.join(keyHash, nowMs + QUEUED_LEASE_MS) };
}

export interface ConversationQueue {
  /**
   * Repeats `attempt` until its outcome is not `wait`. Throws 503 after `busyWaitMs`, ConversationGone if the conversation
   * was deleted in that time, and errors of `attempt`.
   */
  inTurn<T>(
    conversationId: string,
    keyHash: string | null,
    attempt: (ticket: number | null) => Promise<T | Extract<QueueOutcome, { kind: 'wait' }>>,
  ): Promise<T>;
  /** Wakes the queued requests of this process. Call it when an answer of the conversation has ended here. */
  free(conversationId: string): void;
}

const waits = (outcome: unknown): outcome is Extract<QueueOutcome, { kind: 'wait' }> =>
  (outcome as QueueOutcome | null)?.kind === 'wait';

export function createConversationQueue({
  conversations: { reads, saves },
  clock,
  busyWaitMs,
}: {
  conversations: Pick<Conversations, 'reads' | 'saves'>;
  clock: Clock;
  busyWaitMs: number;
}): ConversationQueue {
  const pausing = new Map<string, Set<() => void>>();

  /** Waits for `POLL_MS`, or until `free` is called for the conversation. */
  async function pause(conversationId: string): Promise<void> {
    const here = pausing.get(conversationId) ?? new Set();
    pausing.set(conversationId, here);
    const controller = new AbortController();
    const wake = () => controller.abort();
    here.add(wake);
    await sleep(POLL_MS, undefined, { signal: controller.signal }).catch(() => {});
    here.delete(wake);
    if (here.size === 0) pausing.delete(conversationId);
  }

  /** Resolves when another attempt may succeed. */
  async function untilFree(
    conversationId: string,
    ticket: number | null,
    keyHash: string | null,
    until: number,
  ): Promise<void> {
    let extendedAt = performance.now();
    for (;;) {
      if (performance.now() >= until) throw busy();
      await pause(conversationId);
      const queue = await reads.queue(conversationId, clock.now());
      if (queue === null) throw new ConversationGone(conversationId);
      if (ticket === null) {
        if (!queue.queued.some((entry) => entry.keyHash === keyHash)) return;
        continue;
      }
      // The entry has expired. The next attempt queues a new one.
      if (!queue.queued.some((entry) => entry.ticket === ticket)) return;
      if (queue.activeMessageId === null && queue.queued[0]?.ticket === ticket) return;
      if (performance.now() - extendedAt > QUEUED_LEASE_MS / 3) {
        extendedAt = performance.now();
        await saves.extendWait(ticket, clock.now() + QUEUED_LEASE_MS);
      }
    }
  }

  return {
    async inTurn(conversationId, keyHash, attempt) {
      const until = performance.now() + busyWaitMs;
      let ticket: number | null = null;
      try {
        for (;;) {
          const outcome = await attempt(ticket);
          if (!waits(outcome)) {
            ticket = null;
            return outcome;
          }
          ticket = outcome.ticket;
          await untilFree(conversationId, ticket, keyHash, until);
        }
      } finally {
        // An entry that is left behind delays later requests until its lease expires.
        if (ticket !== null) await saves.leaveQueue(ticket).catch(() => {});
      }
    },
    free(conversationId) {
      for (const wake of pausing.get(conversationId) ?? []) wake();
    },
  };
}
