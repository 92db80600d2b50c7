import type { Handover } from '../../ports/store/conversations/conversation-rows.js';
import type { ConversationTurn } from '../../ports/store/conversations/conversations.js';

type PositionTurn = Pick<ConversationTurn, 'conversation' | 'change'>;

/** Numbers the next event of the conversation. Null for conversations of the API, which have no events. */
export function nextPosition(turn: PositionTurn): number | null {
  if (turn.conversation.handover === null) return null;
  const position = turn.conversation.position + 1;
  turn.change({ position });
  return position;
}

/** Changes the state of the conversation. It is an event if readers see a difference. */
export function changeHandover(turn: PositionTurn, handover: Handover): void {
  const before = turn.conversation.handover;
  const isSame =
    before?.state === handover.state &&
    before.shownName === handover.shownName &&
    before.assignee?.id === handover.assignee?.id;
  turn.change({ handover });
  if (!isSame) turn.change({ statePosition: nextPosition(turn) ?? 0 });
}
