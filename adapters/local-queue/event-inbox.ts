import { createEventDelivery, type EventDelivery } from '../../core/jobs/event-delivery.js';
import type { Log } from '../../core/ports/log.port.js';
import type { Unsubscribe } from '../../core/ports/queue.port.js';
import type { TaskEvent } from '../../core/tasks/wire.js';

/** Events on their way to the API's handler; they wait here while there is none. */
export interface EventInbox {
  /** Resolves when the event has its place: at once, unless the handler is far behind. */
  accept(event: TaskEvent): Promise<void>;
  /** One handler at a time. */
  subscribe(handler: (event: TaskEvent) => Promise<void>): Unsubscribe;
  /** Resolves when every event has been handled, or nobody is there to do it. */
  drained(): Promise<void>;
  end(): Promise<void>;
}

/** Workers wait for their receipt while this many events are not handled. */
const ROOM = 1_000;

export const createEventInbox = (log: Log): EventInbox => {
  let held: TaskEvent[] = [];
  let delivery: EventDelivery | null = null;
  let open = 0;
  let forRoom: (() => void)[] = [];
  let forEmptiness: (() => void)[] = [];

  const handled = (): void => {
    open -= 1;
    if (open < ROOM) forRoom.shift()?.();
    if (open > 0) return;
    for (const resolve of forEmptiness) resolve();
    forEmptiness = [];
  };

  const hand = (event: TaskEvent): void => {
    if (delivery === null) held.push(event);
    else delivery.deliver(event).then(handled, () => held.push(event));
  };

  return {
    accept: async (event) => {
      open += 1;
      hand(event);
      if (open > ROOM) await new Promise<void>((resolve) => forRoom.push(resolve));
    },

    subscribe: (handler) => {
      if (delivery !== null) throw new Error('events have a handler already: unsubscribe it first');
      const mine = createEventDelivery({ handler, log });
      delivery = mine;
      for (const event of held.splice(0)) hand(event);
      return async () => {
        if (delivery === mine) delivery = null;
        await mine.end();
      };
    },

    drained: () =>
      open === 0 || delivery === null
        ? Promise.resolve()
        : new Promise((resolve) => forEmptiness.push(resolve)),

    end: async () => {
      const last = delivery;
      delivery = null;
      await last?.end();
      held = [];
      for (const resolve of forRoom) resolve();
      forRoom = [];
    },
  };
};
