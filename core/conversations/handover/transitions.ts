import { seconds } from '../../ports/clock.port.js';
import type { Handover } from '../../ports/store/conversations/conversation-rows.js';
import type { ConversationTurn } from '../../ports/store/conversations/conversations.js';
import { dayOf } from '../../visitors/limits.js';
import { bucketOf } from '../statistics.js';
import { changeHandover } from './positions.js';

/** Why people no longer answer. `cancelled`: by the visitor; `timeout`: there was no message for a day. */
export type HandoverEnd = 'agent' | 'closed' | 'cancelled' | 'timeout';

/**
 * Changes the state of a conversation from `before`, counts it in the statistics and announces it to webhooks. `end`: the
 * reason if people no longer answer; by default the new state.
 */
export function changeState(
  turn: ConversationTurn,
  { before, next, end }: { before: Handover; next: Handover; end?: HandoverEnd },
  nowMs: number,
): void {
  changeHandover(turn, next);
  const { id: conversationId, agentId } = turn.conversation;
  const data = { agentId, conversationId };
  const at = seconds(nowMs);
  const day = dayOf(nowMs);
  const { state } = next;
  if (state === before.state) return;
  if (before.state === 'requested' && state === 'human') {
    // Without the conversations that have only lost their person.
    if (before.waitingSince !== before.stateSince) return;
    turn.statistics.count(day, 'handoversTaken', 1);
    turn.statistics.countWait(day, bucketOf((at - before.stateSince) * 1000));
  }
  const isOver = (state === 'agent' || state === 'closed') && ['requested', 'human'].includes(before.state);
  if (isOver) turn.announce({ type: 'handover.ended', at, data: { ...data, reason: end ?? state } });
}

/** Records the visitor's request for a person. */
export function requestPerson(turn: ConversationTurn, reason: string | null, nowMs: number): void {
  const { id: conversationId, agentId } = turn.conversation;
  const at = seconds(nowMs);
  changeHandover(turn, {
    state: 'requested',
    stateSince: at,
    assignee: null,
    shownName: null,
    waitingSince: at,
    reason,
    humanUntilMs: null,
  });
  turn.statistics.count(dayOf(nowMs), 'handoverRequests', 1);
  turn.announce({ type: 'handover.requested', at, data: { agentId, conversationId } });
}

/** Announces a message that a person has written in place of the agent. */
export function announcePersonMessage(turn: ConversationTurn, messageId: number, nowMs: number): void {
  const { id: conversationId, agentId } = turn.conversation;
  turn.announce({
    type: 'message.created',
    at: seconds(nowMs),
    data: { agentId, conversationId, messageId: String(messageId) },
  });
}
