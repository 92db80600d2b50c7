import { setTimeout as sleep } from 'node:timers/promises';
import { overloaded } from '../errors/api-error.js';
import type { Clock } from '../ports/clock.port.js';
import {
  ConversationGone,
  type Conversations,
  type ConversationTurn,
  type Seat,
} from '../ports/store/conversations.js';

/*
 * The queue before a busy conversation. Seats are rows, taken under the conversation's lock, so all processes
 * agree on how many may wait and who is next.
 */

const MOST_WAITING = 4;
/** A seat whose process died is free after this. */
const SEAT_MS = 5000;
const LOOK_MS = 150;

class ConversationBusy extends Error {
  override name = 'ConversationBusy';
}

/** Nothing was changed: try again in a moment. */
const busy = () => overloaded(new ConversationBusy('the conversation is busy, and so is the line before it'));

export type SeatTaken =
  /** Nobody is before us, and no answer under way. */
  | { kind: 'go' }
  /** Null: the same request waits already, and counts once. */
  | { kind: 'wait'; ticket: number | null };

/** Decides whether the request with this ticket, or a new one, may go on. Throws 503 when the queue is full. */
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

export interface WaitingLine {
  /**
   * Tries until `attempt` no longer has to wait. Throws 503 after `busyWaitMs`, ConversationGone when the
   * conversation was deleted meanwhile, and what `attempt` throws.
   */
  inTurn<T>(
    conversationId: string,
    keyHash: string | null,
    attempt: (ticket: number | null) => Promise<T | Extract<SeatTaken, { kind: 'wait' }>>,
  ): Promise<T>;
  /** An answer of this process has ended: whoever waits here need not look for it. */
  free(conversationId: string): void;
}

const waits = (outcome: unknown): outcome is Extract<SeatTaken, { kind: 'wait' }> =>
  (outcome as SeatTaken | null)?.kind === 'wait';

export function createWaitingLine({
  conversations: { reads, saves },
  clock,
  busyWaitMs,
}: {
  conversations: Pick<Conversations, 'reads' | 'saves'>;
  clock: Clock;
  busyWaitMs: number;
}): WaitingLine {
  const waiting = new Map<string, Set<() => void>>();

  /** A while, or until the conversation is free here. */
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
      // Our seat is gone, because we were away for too long: there is a new one at the end.
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
        // A seat that was not given up in a turn would keep others waiting.
        if (ticket !== null) await saves.leaveSeat(ticket).catch(() => {});
      }
    },
    free(conversationId) {
      for (const wake of waiting.get(conversationId) ?? []) wake();
    },
  };
}
