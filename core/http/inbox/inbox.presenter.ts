import { handoverAt } from '../../conversations/handover/state.js';
import { textOf } from '../../conversations/script-writer.js';
import type { MessageRow } from '../../ports/store/conversations/conversation-rows.js';
import type { InboxRow } from '../../ports/store/conversations/inbox.js';
import { limits } from '../../schemas/limits.js';
import { presentConversation } from '../conversations/conversations.presenter.js';

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

const presentLastMessage = ({ id, role, script, createdAt }: MessageRow) => ({
  id: String(id),
  role,
  text: [...textOf(script)].slice(0, limits.handover.lastMessage).join(''),
  createdAt,
});
