import { v7 as uuidv7 } from 'uuid';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { ChannelFlow, ThreadRow } from '../ports/store/channel-flow.js';
import type { ConversationRow, Conversations, ConversationTurn } from '../ports/store/conversations.js';

export interface PersonConversation {
  thread: ThreadRow;
  conversation: ConversationRow;
  /** The conversation is not stored yet: its first turn stores it. */
  isNew: boolean;
}

export interface PersonConversations {
  /** Returns the conversation of a person with an account. `windowUntilMs` applies to a new thread. */
  of(person: {
    agentId: string;
    workspaceId: string;
    accountId: string;
    personId: string;
    windowUntilMs: number;
  }): Promise<PersonConversation>;
  /** Runs a turn of the conversation. */
  run<T>(of: PersonConversation, turn: (turn: ConversationTurn) => Promise<T>): Promise<T>;
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
        // Dates are searched by id, so both must use the same clock.
        conversationId: uuidv7({ msecs: nowMs }),
        windowUntilMs,
        pausedUntilMs: 0,
        limitToldUntilMs: 0,
        quotaToldOn: null,
      });
      const stored = await store.reads.conversation(agentId, thread.conversationId);
      const conversation: ConversationRow = stored ?? {
        id: thread.conversationId,
        agentId,
        workspaceId,
        source: 'social',
        userId: personId,
        title: null,
        messages: 0,
        toolRecords: 0,
        createdAt: seconds(nowMs),
        updatedAt: seconds(nowMs),
        activeMessageId: null,
        lastEmptyEnd: null,
      };
      return { thread, conversation, isNew: stored === null };
    },
    run: ({ conversation, isNew }, turn) =>
      isNew
        ? store.turns.begin(conversation, turn, conversation.workspaceId)
        : store.turns.run(conversation.id, turn, conversation.workspaceId),
  };
}
