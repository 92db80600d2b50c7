import type { ChannelEvent } from '../ports/channel.port.js';
import type { Clock } from '../ports/clock.port.js';
import type { ChannelFlow, EventRow } from '../ports/store/channels/channel-flow.js';
import { newEvent } from './new-event.js';

/** Thrown if too many events are pending. The platform sends them again. */
export class EventsFull extends Error {
  override name = 'EventsFull';
}

export interface EventReceiver {
  /** Stores events, and drops events of unknown accounts. Throws EventsFull and StoreUnavailable. */
  accept(events: ChannelEvent[]): Promise<void>;
}

interface EventReceiverOptions {
  flow: Pick<ChannelFlow, 'agentsOf' | 'waiting' | 'accept'>;
  clock: Clock;
  /** Maximum number of pending events of all accounts. */
  maxPending: number;
  gatherMs: number;
  /** Called with the number of events by outcome. */
  onEvents: (outcome: 'accepted' | 'repeated' | 'unknown_account' | 'refused', count: number) => void;
  /** Called with the time in milliseconds after which new events become due. */
  onDue: (inMs: number) => void;
}

const MAX_PENDING_OF_ACCOUNT = 5000;
/** How long the number of pending events is cached. */
const COUNT_MS = 1000;

export function createEventReceiver(options: EventReceiverOptions): EventReceiver {
  const { flow, clock, maxPending, gatherMs, onEvents, onDue } = options;
  let counts: Promise<Map<string, number>> | null = null;
  let countedAt = Number.NEGATIVE_INFINITY;

  /** Returns the number of pending events by account. Reads it at most once a second; `accept` adds its events. */
  function waiting(): Promise<Map<string, number>> {
    const now = performance.now();
    if (counts === null || now - countedAt > COUNT_MS) {
      countedAt = now;
      counts = flow.waiting();
      counts.catch(() => {
        counts = null;
      });
    }
    return counts;
  }

  return {
    async accept(events) {
      // Not cached: an account may move to another agent at any time.
      const agentOf = await flow.agentsOf([...new Set(events.map(({ accountId }) => accountId))]);
      const nowMs = clock.now();
      const rows = events.flatMap((event): EventRow[] => {
        const agentId = agentOf.get(event.accountId);
        if (agentId === undefined) return [];
        const waits = event.kind === 'message' || event.kind === 'tap' ? gatherMs : 0;
        return [{ ...newEvent(event, agentId, nowMs), dueAtMs: nowMs + waits }];
      });
      onEvents('unknown_account', events.length - rows.length);
      if (rows.length === 0) return;
      const count = await waiting();
      const all = [...count.values()].reduce((sum, n) => sum + n, 0);
      const isFull = (accountId: string) => (count.get(accountId) ?? 0) >= MAX_PENDING_OF_ACCOUNT;
      // Store or reject all events of a request, because the platform repeats whole requests.
      if (all >= maxPending || rows.some(({ accountId }) => isFull(accountId))) {
        onEvents('refused', rows.length);
        throw new EventsFull('too many events are pending');
      }
      const added = await flow.accept(rows);
      for (const { accountId } of rows) count.set(accountId, (count.get(accountId) ?? 0) + 1);
      onEvents('accepted', added);
      onEvents('repeated', rows.length - added);
      onDue(rows.some(({ dueAtMs }) => dueAtMs <= nowMs) ? 0 : gatherMs);
    },
  };
}
