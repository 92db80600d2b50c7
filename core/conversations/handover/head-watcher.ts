import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../ports/log.port.js';
import type { ConversationHead } from '../../ports/store/conversations/conversation-rows.js';
import type { ConversationReads } from '../../ports/store/conversations/conversations.js';
import { aside } from '../../tracing/trail.js';

/** Watches conversations for their followers, with one statement per poll whatever their number. */
export interface HeadWatcher {
  /** Calls `hear` with each polled state; null if the conversation was deleted. Returns a function that unsubscribes. */
  watch(conversationId: string, hear: (head: ConversationHead | null) => void): () => void;
}

const POLL_MS = 500;

export function createHeadWatcher(reads: Pick<ConversationReads, 'heads'>, log: Log): HeadWatcher {
  const watched = new Map<string, Set<(head: ConversationHead | null) => void>>();
  let isPolling = false;

  async function poll(): Promise<void> {
    const ids = [...watched.keys()];
    const heads = new Map((await reads.heads(ids)).map((head) => [head.id, head]));
    for (const id of ids) for (const hear of watched.get(id) ?? []) hear(heads.get(id) ?? null);
  }

  async function pollWhileWatched(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    while (watched.size > 0) {
      // Followers keep waiting if the database is unavailable.
      await poll().catch((err: unknown) => log.debug({ err }, 'followed conversations cannot be read'));
      await sleep(POLL_MS, undefined, { ref: false });
    }
    isPolling = false;
  }

  return {
    watch(conversationId, hear) {
      const listeners = watched.get(conversationId) ?? new Set();
      watched.set(conversationId, listeners.add(hear));
      void aside(pollWhileWatched);
      return () => {
        listeners.delete(hear);
        if (listeners.size === 0 && watched.get(conversationId) === listeners) watched.delete(conversationId);
      };
    },
  };
}
