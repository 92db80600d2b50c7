import { seconds } from '../../ports/clock.port.js';
import type { ConversationRow, Handover } from '../../ports/store/conversations/conversation-rows.js';
import type { ConversationTurn } from '../../ports/store/conversations/conversations.js';
import { changeHandover } from './positions.js';

/** Returns the state of a conversation that the agent answers. `since` in Unix seconds. */
export const answeredByAgent = (since: number): Handover => ({
  state: 'agent',
  stateSince: since,
  assignee: null,
  shownName: null,
  waitingSince: null,
  reason: null,
  humanUntilMs: null,
});

/** Returns the state at this time. The end of a pause of the agent is not stored. */
export function handoverAt(handover: Handover, nowMs: number): Handover {
  const { state, humanUntilMs } = handover;
  const hasEnded = state === 'human' && humanUntilMs !== null && humanUntilMs <= nowMs;
  return hasEnded ? answeredByAgent(seconds(humanUntilMs)) : handover;
}

/** Returns whether only people answer in this conversation. */
export const isAnsweredByPeople = ({ handover }: ConversationRow, nowMs: number): boolean =>
  handover !== null && handoverAt(handover, nowMs).state === 'human';

/**
 * Returns the state after a person has answered outside of Cadre, or paused the agent. Keeps the assignee. `untilMs`: null
 * without an end.
 */
export function pausedUntil(handover: Handover, untilMs: number | null, nowMs: number): Handover {
  const before = handoverAt(handover, nowMs);
  if (before.state !== 'human')
    return { ...answeredByAgent(seconds(nowMs)), state: 'human', humanUntilMs: untilMs };
  if (before.assignee !== null || before.humanUntilMs === null || untilMs === null)
    return { ...before, humanUntilMs: null };
  return { ...before, humanUntilMs: Math.max(before.humanUntilMs, untilMs) };
}

type HandoverTurn = Pick<ConversationTurn, 'conversation' | 'change'>;

/** Lets the agent answer again after the conversation was closed. */
export function reopen(turn: HandoverTurn, nowMs: number): void {
  const { handover } = turn.conversation;
  if (handover?.state === 'closed') changeHandover(turn, answeredByAgent(seconds(nowMs)));
}

/** Records that a message waits for a person. */
export function waitForPerson(turn: HandoverTurn, nowMs: number): void {
  const { handover } = turn.conversation;
  if (handover)
    turn.change({ handover: { ...handover, waitingSince: handover.waitingSince ?? seconds(nowMs) } });
}
