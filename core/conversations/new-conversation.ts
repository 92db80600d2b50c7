import { v7 as uuidv7 } from 'uuid';
import { seconds } from '../ports/clock.port.js';
import type {
  ConversationRow,
  ConversationTurn,
  ConversationTurns,
} from '../ports/store/conversations/conversations.js';
import { dayOf } from '../visitors/limits.js';

/** Conversations are searched by date through their ids, so the id must use the clock of the dates. */
export const newConversationId = (nowMs: number): string => uuidv7({ msecs: nowMs });

/** Creates a conversation without messages. */
export const newConversation = (
  given: Pick<ConversationRow, 'id' | 'agentId' | 'workspaceId' | 'source' | 'userId'>,
  nowMs: number,
): ConversationRow => ({
  ...given,
  title: null,
  messages: 0,
  toolRecords: 0,
  createdAt: seconds(nowMs),
  updatedAt: seconds(nowMs),
  activeMessageId: null,
  lastEmptyEnd: null,
});

/** Stores a conversation, counts it in the statistics, and runs its first turn. */
export function beginConversation<T>(
  turns: Pick<ConversationTurns, 'begin'>,
  conversation: ConversationRow,
  work: (turn: ConversationTurn) => Promise<T>,
  share: string,
): Promise<T> {
  const day = dayOf(conversation.createdAt * 1000);
  return turns.begin(
    conversation,
    (turn) => {
      turn.statistics.count(day, 'conversations', 1);
      return work(turn);
    },
    share,
  );
}
