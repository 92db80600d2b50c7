import { v7 as uuidv7 } from 'uuid';
import { seconds } from '../ports/clock.port.js';
import type { ConversationRow } from '../ports/store/conversations/conversation-rows.js';
import type { ConversationTurn, ConversationTurns } from '../ports/store/conversations/conversations.js';
import { dayOf } from '../visitors/limits.js';
import { answeredByAgent } from './handover/state.js';

/** Returns an id for a conversation created at `nowMs`. A search by date compares ids, so they contain that time. */
export const newConversationId = (nowMs: number): string => uuidv7({ msecs: nowMs });

/** Returns the row of a conversation without messages. */
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
  position: 0,
  statePosition: 0,
  unread: 0,
  handover: given.source === 'api' ? null : answeredByAgent(seconds(nowMs)),
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
