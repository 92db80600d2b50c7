import type { Message } from '../../../client/answer-events.js';
import { eventsOf, randomKey } from '../../../client/answer-stream.js';
import { Refusal } from '../refusal.js';
import { isOpen, type PersonState } from './person-state.js';
import type { VisitorRequests } from './visitor-requests.js';

/*
 * Asking for a person and following a conversation that a person answers. Loaded when it is first needed.
 */

type ConversationEvent = { id?: string } & (
  | { type: 'message'; message: Message }
  | { type: 'state'; state: PersonState['state']; person: { name: string } | null }
  | { type: 'typing'; from: 'visitor' | 'human' }
);

export interface Handover {
  /** Asks for a person in this conversation. */
  call(conversationId: string): Promise<void>;
  /** Takes the request back. */
  cancel(conversationId: string): Promise<void>;
  /** Follows the events of a conversation after a position. */
  follow(conversationId: string, position: string): void;
  /** Shows to the person that the visitor types. */
  typing(conversationId: string): void;
  stop(): void;
}

export interface HandoverOptions {
  requests: VisitorRequests;
  /** Seconds after which the form is shown to a waiting visitor. */
  waitSeconds: number;
  onChange(part: Partial<PersonState>): void;
  /** A message of the conversation, from any side. */
  onMessage(message: Message): void;
  /** Events may have been missed: the messages must be read again. */
  onGap(): void;
}

const LONGEST_PAUSE_MS = 30_000;
/** How long the server may wait for events where streams are blocked. */
const POLL_SECONDS = 25;
/** A sign of typing is shown for this time. */
const TYPING_MS = 5000;
/** Pause between two signs of the visitor's own typing. */
const REPORT_MS = 3000;

export function createHandover({
  requests: { pathOf, send, post },
  waitSeconds,
  onChange,
  onMessage,
  onGap,
}: HandoverOptions): Handover {
  let following: AbortController | null = null;
  let waiting: ReturnType<typeof setTimeout> | undefined;
  let typing: ReturnType<typeof setTimeout> | undefined;
  let reportedAt = 0;

  function stop(): void {
    following?.abort();
    following = null;
    clearTimeout(waiting);
    clearTimeout(typing);
  }

  /** Returns false once the conversation is answered by the agent alone. */
  function handle(event: ConversationEvent): boolean {
    if (event.type === 'typing') {
      if (event.from !== 'human') return true;
      onChange({ isTyping: true });
      clearTimeout(typing);
      typing = setTimeout(() => onChange({ isTyping: false }), TYPING_MS);
      return true;
    }
    if (event.type === 'message') {
      if (event.message.role === 'assistant') onChange({ isTyping: false });
      onMessage(event.message);
      return true;
    }
    const { state, person } = event;
    onChange({ state, person: person?.name ?? null, ...(isOpen(event) ? {} : ended(state)) });
    return isOpen(event);
  }

  const ended = (state: PersonState['state']): Partial<PersonState> => {
    clearTimeout(waiting);
    return {
      isTyping: false,
      hasWaited: false,
      note: state === 'closed' ? 'conversationClosed' : 'agentAgain',
    };
  };

  async function* streamed(response: Response): AsyncGenerator<ConversationEvent> {
    for await (const { id, data } of eventsOf(response)) {
      const event = JSON.parse(data) as ConversationEvent;
      yield id === undefined ? event : { ...event, id };
    }
  }

  async function* polled(response: Response): AsyncGenerator<ConversationEvent> {
    if (response.status === 204) return;
    const { events } = (await response.json()) as { events: ConversationEvent[] };
    yield* events;
  }

  async function run(conversationId: string, position: string, signal: AbortSignal): Promise<void> {
    let last = position;
    let isPolling = false;
    for (let failures = 0; !signal.aborted; ) {
      try {
        const path = pathOf(conversationId, 'events') + (isPolling ? `?wait=${POLL_SECONDS}` : '');
        const response = await send(path, { headers: { 'last-event-id': last }, signal });
        if (response.status === 204 && !isPolling) return onGap();
        for await (const event of isPolling ? polled(response) : streamed(response)) {
          if (signal.aborted) return;
          failures = 0;
          last = event.id ?? last;
          if (!handle(event)) return;
        }
      } catch (thrown) {
        if (signal.aborted) return;
        if (thrown instanceof Refusal && thrown.status === 404) return onGap();
        // All streams are taken.
        isPolling = thrown instanceof Refusal && thrown.status === 503;
        failures += 1;
      }
      if (failures > 0 || !isPolling) await pause(Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** failures), signal);
    }
  }

  function follow(conversationId: string, position: string): void {
    stop();
    following = new AbortController();
    void run(conversationId, position, following.signal);
  }

  function wait(): void {
    clearTimeout(waiting);
    onChange({ hasWaited: false });
    waiting = setTimeout(() => onChange({ hasWaited: true }), waitSeconds * 1000);
  }

  return {
    follow(conversationId, position) {
      follow(conversationId, position);
      wait();
    },
    stop,
    async call(conversationId) {
      const page = await send(`${pathOf(conversationId, 'messages')}?limit=1`);
      const { position } = (await page.json()) as { position: string };
      const response = await post(
        pathOf(conversationId, 'handover'),
        {},
        { headers: { 'idempotency-key': randomKey() } },
      );
      const { state, expectedSeconds = null } = (await response.json()) as Pick<PersonState, 'state'> & {
        expectedSeconds?: number | null;
      };
      onChange({ state, expectedSeconds, note: isOpen({ state }) ? null : 'nobodyAvailable' });
      if (!isOpen({ state })) return;
      follow(conversationId, position);
      wait();
    },
    async cancel(conversationId) {
      await post(pathOf(conversationId, 'handover'), { cancel: true });
    },
    typing(conversationId) {
      if (Date.now() - reportedAt < REPORT_MS) return;
      reportedAt = Date.now();
      void send(pathOf(conversationId, 'typing'), { method: 'POST' }).catch(() => {});
    },
  };
}

/** Waits. Ends early if the browser comes online or the page is shown again, as after a sleep. */
const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer);
      removeEventListener('online', end);
      document.removeEventListener('visibilitychange', end);
      signal.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    addEventListener('online', end);
    document.addEventListener('visibilitychange', end);
    signal.addEventListener('abort', end);
  });
