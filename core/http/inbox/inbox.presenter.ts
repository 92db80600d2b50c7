import { handoverAt } from '../../conversations/handover/state.js';
import type { InboxRow } from '../../ports/store/conversations/inbox.js';
import { presentConversation, presentLastMessage } from '../conversations/conversations.presenter.js';

type Presentation = Parameters<typeof presentConversation>[1];

export function presentInboxRow({ conversation, lastMessage }: InboxRow, how: Presentation) {
  const { agentId, handover, unread } = conversation;
  if (handover === null) throw new Error('a conversation of the API was in the inbox');
  const { state, assignee, waitingSince } = handoverAt(handover, how.nowMs);
  return {
    conversation: presentConversation(conversation, how),
    agentId,
    state,
    assignee: assignee && { ...assignee },
    waitingSince,
    unread,
    lastMessage: lastMessage && presentLastMessage(lastMessage),
  };
}
