import { beginConversation, newConversation, newConversationId } from '../conversations/new-conversation.js';
import type { Clock } from '../ports/clock.port.js';
import type { ChannelFlow, ThreadRow } from '../ports/store/channels/channel-flow.js';
import type { ConversationRow } from '../ports/store/conversations/conversation-rows.js';
import type { Conversations, ConversationTurn } from '../ports/store/conversations/conversations.js';

export interface PersonConversation {
  thread: ThreadRow;
  conversation: ConversationRow;
  /** True until the first turn has stored the conversation. */
  isNew: boolean;
}

export interface PersonConversations {
  /** Returns the conversation between a person and an account. `windowUntilMs` is used for a new thread. */
  of(person: {
    agentId: string;
    workspaceId: string;
    accountId: string;
    personId: string;
    windowUntilMs: number;
  }): Promise<PersonConversation>;
  /** Runs a turn of the conversation. `share`: owner of the share of writers that it uses; defaults to the workspace. */
  run<T>(of: PersonConversation, turn: (turn: ConversationTurn) => Promise<T>, share?: string): Promise<T>;
}

/** The conversations of the social channel: one for each person and account. */
export function createPersonConversations({
  flow,
  store,
  clock,
}: {
  flow: Pick<ChannelFlow, 'ensureThread'>;
  store: Pick<Conversations, 'reads' | 'turns'>;
  clock: Clock;
}): PersonConversations {
  return {
    async of({ agentId, workspaceId, accountId, personId, windowUntilMs }) {
      const nowMs = clock.now();
      const thread = await flow.ensureThread({
        agentId,
        accountId,
        personId,
        conversationId: newConversationId(nowMs),
        windowUntilMs,
        limitToldUntilMs: 0,
        quotaToldOn: null,
      });
      const stored = await store.reads.conversation(agentId, thread.conversationId);
      const { conversationId: id } = thread;
      const given = { id, agentId, workspaceId, source: 'social', userId: personId } as const;
      const conversation = stored ?? newConversation(given, nowMs);
      return { thread, conversation, isNew: stored === null };
    },
    async run({ conversation, isNew }, turn, share = conversation.workspaceId) {
      const { id, agentId } = conversation;
      if (isNew)
        try {
          return await beginConversation(store.turns, conversation, turn, share);
        } catch (error) {
          // Another process may have stored the conversation in the meantime.
          if ((await store.reads.conversation(agentId, id)) === null) throw error;
        }
      return store.turns.run(id, turn, share);
    },
  };
}
