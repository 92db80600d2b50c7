import { isDeepStrictEqual } from 'node:util';
import { ApiError, invalidField } from '../../errors/api-error.js';
import { type Clock, seconds } from '../../ports/clock.port.js';
import type {
  Assignee,
  ConversationRow,
  Handover,
  MessageRow,
} from '../../ports/store/conversations/conversation-rows.js';
import {
  ConversationGone,
  type Conversations,
  type ConversationTurn,
} from '../../ports/store/conversations/conversations.js';
import type { StoredResponses } from '../../ports/store/stored-responses.js';
import type { Answers } from '../answers.js';
import { boundKey, type RequestKey } from '../bound-key.js';
import { storePersonMessage } from '../messages.js';
import type { HandoverChannel } from './handover-channel.js';
import { answeredByAgent, handoverAt } from './state.js';
import { stopAgent } from './stop-agent.js';
import { announcePersonMessage, changeState } from './transitions.js';

/** A member or an API key, answering in place of the agent. */
export interface Person extends Assignee {
  /** Name that visitors see. */
  shownName: string;
}

export interface PersonMessage {
  text: string;
  takeOver: boolean;
  key: RequestKey | null;
  /** Null for the widget. */
  channel: HandoverChannel | null;
  /** Called in the turn, to mail the visitor. */
  onStored?: ((turn: ConversationTurn, message: MessageRow, nowMs: number) => Promise<void>) | undefined;
}

export interface HandoverChange {
  /** Undefined: `human` if `assignee` is a person, else unchanged. */
  state: 'human' | 'agent' | 'closed' | undefined;
  /** Undefined: the caller, if `state` is `human`. Null: the conversation has no assignee. */
  assignee: Person | null | undefined;
  takeOver: boolean;
  channel: HandoverChannel | null;
}

/** Lets people answer conversations in place of the agent. */
export interface People {
  /** Stores a person's message, and takes the conversation over. Throws 400 if another person has it. */
  write(conversation: ConversationRow, person: Person, message: PersonMessage): Promise<MessageRow>;
  /** Takes a conversation over, assigns it, hands it back or closes it. Throws 400 if another person has it. */
  change(conversation: ConversationRow, person: Person, change: HandoverChange): Promise<ConversationRow>;
}

export function createPeople({
  store: { reads, turns },
  responses,
  answers,
  clock,
}: {
  store: Pick<Conversations, 'reads' | 'turns'>;
  responses: Pick<StoredResponses, 'forget'>;
  answers: Pick<Answers, 'find'>;
  clock: Clock;
}): People {
  /** Runs a turn, and then interrupts the answer that the turn has ended, if this process writes it. */
  async function inTurn<T>(
    { id, workspaceId }: ConversationRow,
    work: (turn: ConversationTurn, handover: Handover, nowMs: number) => Promise<T>,
  ): Promise<T> {
    let ended: number | null = null;
    const result = await turns
      .run(
        id,
        (turn) => {
          const nowMs = clock.now();
          const { handover, activeMessageId } = turn.conversation;
          if (handover === null) throw new ApiError('RESOURCE_NOT_FOUND');
          ended = activeMessageId;
          return work(turn, handoverAt(handover, nowMs), nowMs).then((done) => {
            if (turn.conversation.activeMessageId !== null) ended = null;
            return done;
          });
        },
        workspaceId,
      )
      .catch((error: unknown) => {
        throw error instanceof ConversationGone ? new ApiError('RESOURCE_NOT_FOUND') : error;
      });
    if (ended !== null) answers.find(ended)?.interrupt('lost');
    return result;
  }

  return {
    async write(conversation, person, { text, takeOver, key, channel, onStored }) {
      const { agentId, id: conversationId } = conversation;
      const bound = await boundKey({ reads, responses }, { agentId, key, now: seconds(clock.now()) });
      const before = bound && (await reads.message(conversationId, bound.messageId));
      if (before) return before;
      return inTurn(conversation, async (turn, handover, nowMs) => {
        const known = key && (await turn.keys.find(key.hash));
        const repeated = known && (await turn.messages.find(known.messageId));
        if (repeated) return repeated;
        requireFree(handover, person, takeOver);
        await stopAgent(turn, channel, nowMs);
        const { id, name, shownName } = person;
        const message = await storePersonMessage(turn, { text, author: { id, name, shownName }, nowMs });
        await channel?.send(turn, { id: message.id, text }, nowMs);
        const next = { ...takenBy(handover, person, nowMs), waitingSince: null };
        changeState(turn, { before: handover, next }, nowMs);
        announcePersonMessage(turn, message.id, nowMs);
        await onStored?.(turn, message, nowMs);
        if (key)
          await turn.keys.bind({
            keyHash: key.hash,
            fingerprint: key.fingerprint,
            userMessageId: message.id,
            messageId: message.id,
            createdAt: seconds(nowMs),
          });
        turn.audit();
        return message;
      });
    },
    change: (conversation, person, change) =>
      inTurn(conversation, async (turn, handover, nowMs) => {
        requireFree(handover, person, change.takeOver);
        const next = after(handover, person, change, nowMs);
        if (next.state === 'human' || next.state === 'closed') await stopAgent(turn, change.channel, nowMs);
        const [before, now] = [shownOf(handover), shownOf(next)];
        if (!isDeepStrictEqual(before, now)) turn.audit({ before, after: now });
        changeState(turn, { before: handover, next }, nowMs);
        return turn.conversation;
      }),
  };
}

/** Returns what the audit log shows of a state. */
const shownOf = ({ state, assignee }: Handover) => ({ state, assigneeId: assignee?.id ?? null });

function requireFree({ state, assignee }: Handover, { id }: Person, takeOver: boolean): void {
  if (state === 'human' && assignee !== null && assignee.id !== id && !takeOver)
    throw invalidField('takeOver', `must be true, because ${assignee.name} has the conversation`);
}

/** Returns the state in which this person has the conversation. */
function takenBy(
  { state, stateSince, waitingSince, reason }: Handover,
  { type, id, name, shownName }: Person,
  nowMs: number,
): Handover {
  return {
    state: 'human',
    stateSince: state === 'human' ? stateSince : seconds(nowMs),
    assignee: { type, id, name },
    shownName,
    waitingSince,
    reason,
    humanUntilMs: null,
  };
}

function after(handover: Handover, person: Person, change: HandoverChange, nowMs: number): Handover {
  const { state, assignee } = change;
  if (state === 'agent' || state === 'closed') {
    const since = state === handover.state ? handover.stateSince : seconds(nowMs);
    return { ...answeredByAgent(since), state };
  }
  if (assignee) return takenBy(handover, assignee, nowMs);
  if (assignee === undefined) return state === undefined ? handover : takenBy(handover, person, nowMs);
  if (state === undefined && handover.state !== 'human') return handover;
  return { ...takenBy(handover, person, nowMs), assignee: null, shownName: null };
}
