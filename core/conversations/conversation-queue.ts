import { setTimeout as sleep } from 'node:timers/promises';
import { overloaded } from '../errors/api-error.js';
import type { Clock } from '../ports/clock.port.js';
import {
  ConversationGone,
  type Conversations,
  type ConversationTurn,
  type Seat,
} from '../ports/store/conversations.js';

// FIFO queue of a busy conversation. Its entries are rows that are written under the conversation's lock, so all
// processes agree on its order and length.

const MOST_WAITING = 4;
/** Lease of an entry, which expires if its process dies. */
const SEAT_MS = 5000;
const LOOK_MS = 150;

class ConversationBusy extends Error {
  override name = 'ConversationBusy';
}

const busy = () =>
  overloaded(new ConversationBusy('the conversation is busy, and its queue is full or too slow'));

export type SeatTaken =
  /** First in the queue, and no answer in progress. */
  | { kind: 'go' }
  /** Null: another attempt of the same request is queued already. */
  | { kind: 'wait'; ticket: number | null };

/** Decides whether the request with this ticket, or a new one, proceeds. Throws 503 if the queue is full. */
export async function takeSeat(
  turn: ConversationTurn,
  {
    seats,
    ticket,
    keyHash,
    nowMs,
  }: { seats: readonly Seat[]; ticket: number | null; keyHash: string | null; nowMs: number },
): Promise<SeatTaken> {
  const mine = ticket !== null && seats.some((seat) => seat.ticket === ticket);
  const first = seats[0];
  if (turn.conversation.activeMessageId === null && (first === undefined || first.ticket === ticket)) {
    if (mine) await turn.line.leave(ticket);
    return { kind: 'go' };
  }
  if (mine) return { kind: 'wait', ticket };
  if (keyHash !== null && seats.some((seat) => seat.keyHash === keyHash))
    return { kind: 'wait', ticket: null };
  if (seats.length >= MOST_WAITING) throw busy();
  return { kind: 'wait', ticket: await turn.line.join(keyHash, nowMs + SEAT_MS) };
}

export interface ConversationQueue {
  /**
   * Repeats `attempt` until it need not wait. Throws 503 after `busyWaitMs`, ConversationGone if the conversation is
   * deleted, and the errors of `attempt`.
   */
  inTurn<T>(
    conversationId: string,
    keyHash: string | null,
    attempt: (ticket: number | null) => Promise<T | Extract<SeatTaken, { kind: 'wait' }>>,
  ): Promise<T>;
  /** Wakes the requests of this process after an answer has ended. */
  free(conversationId: string): void;
}

const waits = (outcome: unknown): outcome is Extract<SeatTaken, { kind: 'wait' }> =>
  (outcome as SeatTaken | null)?.kind === 'wait';

export function createConversationQueue({
  conversations: { reads, saves },
  clock,
  busyWaitMs,
}: {
  conversations: Pick<Conversations, 'reads' | 'saves'>;
  clock: Clock;
  busyWaitMs: number;
}): ConversationQueue {
  const waiting = new Map<string, Set<() => void>>();

  /** Resolves after the polling interval, or when `free` is called. */
  async function pause(conversationId: string): Promise<void> {
    const here = waiting.get(conversationId) ?? new Set();
    waiting.set(conversationId, here);
    const woken = new AbortController();
    const wake = () => woken.abort();
    here.add(wake);
    await sleep(LOOK_MS, undefined, { signal: woken.signal }).catch(() => {});
    here.delete(wake);
    if (here.size === 0) waiting.delete(conversationId);
  }

  /** Resolves when another attempt may succeed. */
  async function untilFree(
    conversationId: string,
    ticket: number | null,
    keyHash: string | null,
    until: number,
  ): Promise<void> {
    let keptAt = performance.now();
    for (;;) {
      if (performance.now() >= until) throw busy();
      await pause(conversationId);
      const line = await reads.line(conversationId, clock.now());
      if (line === null) throw new ConversationGone(conversationId);
      if (ticket === null) {
        if (!line.seats.some((seat) => seat.keyHash === keyHash)) return;
        continue;
      }
      // Our lease has expired, because the process was suspended: join again at the end.
      if (!line.seats.some((seat) => seat.ticket === ticket)) return;
      if (line.activeMessageId === null && line.seats[0]?.ticket === ticket) return;
      if (performance.now() - keptAt > SEAT_MS / 3) {
        keptAt = performance.now();
        await saves.keepSeat(ticket, clock.now() + SEAT_MS);
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
        // Otherwise the entry would block the queue until its lease expires.
        if (ticket !== null) await saves.leaveSeat(ticket).catch(() => {});
      }
    },
    free(conversationId) {
      for (const wake of waiting.get(conversationId) ?? []) wake();
    },
  };
}
