import type { TaskEvent } from '../../core/tasks/wire.js';
import { encodeBatch, encodeEvent, type Outgoing, textOf } from './message.js';
import type { QueueNames } from './topology.js';

/** How long events wait for others after a message: a fifth of what an agent's turn waits for events. */
const GATHER_MS = 10;
/** So many events, or so much text, are sent at once. */
const ENOUGH_EVENTS = 16;
const ENOUGH_CHARACTERS = 65_536;

interface Waiting {
  event: TaskEvent;
  text: string;
  settle: (sent: Promise<boolean>) => void;
}

/**
 * Sends events: those that come in quick succession share a message; one after a moment of silence goes at
 * once and by itself. The events of a message are of one installation, so that it has one owner. While nobody
 * is known to listen to `batches` (all APIs may be of an earlier version), each event goes by itself. What it
 * returns settles as `send` does for the message that the event went with.
 */
export function createEventBatches(options: {
  names: Pick<QueueNames, 'events' | 'batches'>;
  send: (queue: string, message: Outgoing) => Promise<boolean>;
  /** Whether somebody listens to `batches`. */
  areHeard: () => boolean;
  now?: () => number;
}): (event: TaskEvent) => Promise<boolean> {
  const { names, send, areHeard, now = () => performance.now() } = options;
  let waiting: Waiting[] = [];
  let characters = 0;
  let timer: NodeJS.Timeout | undefined;
  let sentAtMs = Number.NEGATIVE_INFINITY;

  function sendGroup(group: Waiting[]): void {
    const [first] = group;
    if (first !== undefined && group.length > 1 && areHeard()) {
      const texts = group.map(({ text }) => text);
      const sent = send(names.batches, encodeBatch(first.event.worker, texts));
      for (const { settle } of group) settle(sent);
    } else for (const { event, settle } of group) settle(send(names.events, encodeEvent(event)));
  }

  function sendAll(): void {
    clearTimeout(timer);
    timer = undefined;
    sentAtMs = now();
    const all = waiting;
    waiting = [];
    characters = 0;
    for (const owner of new Set(all.map(({ event }) => event.installation)))
      sendGroup(all.filter(({ event }) => event.installation === owner));
  }

  return (event) =>
    new Promise((settle) => {
      const text = textOf(event);
      waiting.push({ event, text, settle });
      characters += text.length;
      const restMs = sentAtMs + GATHER_MS - now();
      if (restMs <= 0 || waiting.length >= ENOUGH_EVENTS || characters >= ENOUGH_CHARACTERS) sendAll();
      else timer ??= setTimeout(sendAll, restMs);
    });
}
