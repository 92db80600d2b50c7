import type { Clock } from '../../ports/clock.port.js';
import type {
  ConversationHead,
  ConversationRow,
  MessageRow,
} from '../../ports/store/conversations/conversation-rows.js';
import type { ConversationReads, Typist } from '../../ports/store/conversations/conversations.js';
import type { HeadWatcher } from './head-watcher.js';

export type ConversationEvent =
  | { type: 'message'; position: number; message: MessageRow }
  | { type: 'state'; position: number; conversation: ConversationRow }
  /** Has no position, because it is never repeated. */
  | { type: 'typing'; from: Typist };

export interface EventFeed {
  /**
   * Returns the events after this position, up to 100. `position` is that of the last one, or of the conversation. Null if
   * the conversation was deleted.
   */
  after(
    conversation: Pick<ConversationRow, 'id' | 'agentId'>,
    position: number,
  ): Promise<{ events: ConversationEvent[]; position: number; conversation: ConversationRow } | null>;
  /**
   * Yields the events after this position as they occur, until the signal is aborted or the conversation is deleted. Yields
   * `idle` after `idleMs` without an event.
   */
  follow(
    conversation: Pick<ConversationRow, 'id' | 'agentId'>,
    from: { position: number; idleMs: number; signal: AbortSignal },
  ): AsyncGenerator<ConversationEvent | 'idle'>;
}

const BATCH = 100;
/** Older signs of typing are not sent. */
const TYPING_MS = 5000;

export function createEventFeed({
  reads,
  watcher,
  clock,
}: {
  reads: Pick<ConversationReads, 'conversation' | 'messagesBetween'>;
  watcher: HeadWatcher;
  clock: Clock;
}): EventFeed {
  const after: EventFeed['after'] = async ({ id, agentId }, seen) => {
    // Read before the messages: its position bounds them, so that messages and state are in order.
    const conversation = await reads.conversation(agentId, id);
    if (conversation === null) return null;
    const { position: upTo, statePosition } = conversation;
    const messages = await reads.messagesBetween(id, { after: seen, upTo }, BATCH);
    const isCut = messages.length === BATCH;
    const position = isCut ? (messages.at(-1)?.position ?? upTo) : Math.max(seen, upTo);
    const events: (ConversationEvent & { position: number })[] = messages.map((message) => ({
      type: 'message',
      position: message.position ?? 0,
      message,
    }));
    if (statePosition > seen && statePosition <= position)
      events.push({ type: 'state', position: statePosition, conversation });
    return { events: events.sort((a, b) => a.position - b.position), position, conversation };
  };

  return {
    after,
    async *follow(conversation, { position, idleMs, signal }) {
      let seen = position;
      const since = clock.now();
      const typing: Record<Typist, number> = { visitor: since, human: since };
      const newest = latestOf(watcher, conversation.id, signal);
      try {
        for (;;) {
          const head = await newest.next(idleMs, (found) => isNews(found, seen, typing));
          if (head === null || signal.aborted) return;
          if (head === 'idle') {
            yield 'idle';
            continue;
          }
          for (const from of ['visitor', 'human'] as const) {
            const at = from === 'visitor' ? head.typingVisitorMs : head.typingHumanMs;
            if (at <= typing[from]) continue;
            typing[from] = at;
            if (clock.now() - at < TYPING_MS) yield { type: 'typing', from };
          }
          if (head.position <= seen) continue;
          const found = await after(conversation, seen);
          if (found === null) return;
          seen = found.position;
          yield* found.events;
        }
      } finally {
        newest.stop();
      }
    },
  };
}

const isNews = (head: ConversationHead, seen: number, typing: Record<Typist, number>): boolean =>
  head.position > seen || head.typingVisitorMs > typing.visitor || head.typingHumanMs > typing.human;

/** Keeps the newest head of a conversation for one follower. */
function latestOf(watcher: HeadWatcher, id: string, signal: AbortSignal) {
  let latest: ConversationHead | null | undefined;
  let wake: () => void = () => {};
  const stopWatching = watcher.watch(id, (head) => {
    latest = head;
    wake();
  });
  const onAbort = (): void => wake();
  signal.addEventListener('abort', onAbort);
  return {
    /** Resolves with the first head that fits; null once it was deleted or the signal was aborted. */
    async next(
      idleMs: number,
      fits: (head: ConversationHead) => boolean,
    ): Promise<ConversationHead | null | 'idle'> {
      const until = performance.now() + idleMs;
      for (;;) {
        if (signal.aborted || latest === null) return null;
        if (latest && fits(latest)) return latest;
        const leftMs = until - performance.now();
        if (leftMs <= 0) return 'idle';
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, leftMs);
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
    },
    stop(): void {
      stopWatching();
      signal.removeEventListener('abort', onAbort);
    },
  };
}
