import { handoverAt } from '../../conversations/handover/state.js';
import { textOf } from '../../conversations/script-writer.js';
import type {
  ConversationRow,
  Handover,
  MessageRow,
} from '../../ports/store/conversations/conversation-rows.js';
import type { ConversationSummary } from '../../ports/store/conversations/conversations.js';
import type { JsonObject } from '../../schemas/json.js';
import { limits } from '../../schemas/limits.js';
import { isStaff } from '../auth/access.js';
import type { Caller } from '../auth/authenticate.js';
import type { Services } from '../services.js';

interface ConversationPresentation {
  /** Unix milliseconds. */
  nowMs: number;
  /** A conversation without messages for this time is shown as ended, until a new message arrives. */
  endedAfterSeconds: number;
  caller: Caller;
}

export const presentation = (
  { clock, chat }: Pick<Services, 'clock' | 'chat'>,
  caller: Caller,
): ConversationPresentation => ({
  nowMs: clock.now(),
  endedAfterSeconds: chat.endedAfterSeconds,
  caller,
});

export const presentConversation = (
  { id, title, source, userId, messages, createdAt, updatedAt, handover }: ConversationRow,
  { nowMs, endedAfterSeconds, caller }: ConversationPresentation,
) => ({
  id,
  title,
  source,
  status: Math.floor(nowMs / 1000) - updatedAt >= endedAfterSeconds ? 'ended' : 'ongoing',
  userId,
  messageCount: messages,
  createdAt,
  updatedAt,
  ...(handover === null ? {} : presentHandover(handoverAt(handover, nowMs), caller)),
});

/** Visitors see the name of the assignee; members and API keys that may answer also see its id. */
function presentHandover(handover: Handover, caller: Caller): JsonObject {
  const { state, assignee, waitingSince, reason } = handover;
  if (caller.visitor !== null) return { state, person: personOf(handover) };
  if (!isStaff(caller)) return { state };
  return {
    state,
    assignee: assignee && { ...assignee },
    waitingSince,
    ...(reason === null ? {} : { requestReason: reason }),
  };
}

/** Returns the assignee as visitors see it. */
export const personOf = ({ state, shownName }: Handover): JsonObject | null =>
  state === 'human' && shownName !== null ? { name: shownName } : null;

export const presentLastMessage = ({ id, role, script, createdAt }: MessageRow) => ({
  id: String(id),
  role,
  text: [...textOf(script)].slice(0, limits.handover.lastMessage).join(''),
  createdAt,
});

export const presentSummary = ({ lastMessage, feedback, outcome }: ConversationSummary) => ({
  lastMessage: lastMessage && presentLastMessage(lastMessage),
  feedback,
  outcome,
});
