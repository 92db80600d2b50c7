import { handoverAt } from '../../conversations/handover/state.js';
import type { ConversationRow, Handover } from '../../ports/store/conversations/conversations.js';
import type { JsonObject } from '../../schemas/json.js';
import { isStaff } from '../auth/access.js';
import type { Caller } from '../auth/authenticate.js';

export interface ConversationPresentation {
  /** Unix milliseconds. */
  nowMs: number;
  /** A conversation without messages for this time is shown as ended, until a new message arrives. */
  endedAfterSeconds: number;
  caller: Caller;
  /** Visitors see this name instead of a person without a name. */
  agentName: string;
}

export const presentConversation = (
  { id, title, source, userId, messages, createdAt, updatedAt, handover }: ConversationRow,
  { nowMs, endedAfterSeconds, caller, agentName }: ConversationPresentation,
) => ({
  id,
  title,
  source,
  status: Math.floor(nowMs / 1000) - updatedAt >= endedAfterSeconds ? 'ended' : 'ongoing',
  userId,
  messageCount: messages,
  createdAt,
  updatedAt,
  ...(handover === null ? {} : presentHandover(handoverAt(handover, nowMs), caller, agentName)),
});

/** Visitors see the name of the assignee; members and API keys that may answer also see its id. */
function presentHandover(handover: Handover, caller: Caller, agentName: string): JsonObject {
  const { state, assignee, waitingSince } = handover;
  if (caller.visitor !== null) return { state, person: personOf(handover, agentName) };
  return isStaff(caller) ? { state, assignee: assignee && { ...assignee }, waitingSince } : { state };
}

/** Returns the assignee as visitors see it. */
const personOf = ({ state, assignee, shownName }: Handover, agentName: string): JsonObject | null =>
  state === 'human' && assignee !== null ? { name: shownName ?? agentName } : null;
