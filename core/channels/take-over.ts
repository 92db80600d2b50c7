import type { HandoverChannel } from '../conversations/handover/handover-channel.js';
import {
  answeredByAgent,
  handoverAt,
  isAnsweredByPeople,
  pausedUntil,
} from '../conversations/handover/state.js';
import { announcePersonMessage, changeState } from '../conversations/handover/transitions.js';
import { storeAgentMessage } from '../conversations/messages.js';
import { ApiError, existing, invalidField } from '../errors/api-error.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type {
  ChannelFlow,
  Claim,
  EventRow,
  OutgoingRow,
  Thread,
  ThreadRow,
} from '../ports/store/channels/channel-flow.js';
import type { ConversationRow } from '../ports/store/conversations/conversation-rows.js';
import {
  ConversationGone,
  type Conversations,
  type ConversationTurn,
} from '../ports/store/conversations/conversations.js';
import { isUuid } from '../schemas/uuid.js';
import { dropAnswer } from './message-turns.js';
import { messageTo } from './new-message.js';
import type { PersonConversations } from './person-conversation.js';

/** Lets people take conversations over from the agent, and hand them back. */
export interface TakeOver {
  /** The part of a take-over that concerns the platform. */
  readonly channel: HandoverChannel;
  /** A person has answered in the app of the platform. */
  byPerson(claim: Claim, event: EventRow, text: string): Promise<void>;
  /** Throws RESOURCE_NOT_FOUND unless this is a conversation of the social channel. */
  mustExist(agentId: string, conversationId: string): Promise<void>;
  /** Returns a conversation with its thread. Throws RESOURCE_NOT_FOUND. */
  read(
    agentId: string,
    conversationId: string,
  ): Promise<{ conversation: ConversationRow; thread: ThreadRow }>;
  /** Queues a person's message, and pauses the agent. Returns the queued message. Throws RESOURCE_NOT_FOUND. */
  write(
    agentId: string,
    conversationId: string,
    text: string,
    /** Idempotency key of the request, hashed; null without one. */
    onceKey: string | null,
  ): Promise<OutgoingRow>;
  /** Pauses the agent until further notice, or ends the pause. Throws RESOURCE_NOT_FOUND. */
  pause(agentId: string, conversationId: string, paused: boolean): Promise<void>;
  /** Deletes the conversation with its events and messages. Throws RESOURCE_NOT_FOUND. */
  delete(agentId: string, conversationId: string): Promise<void>;
}

/** How people answer on a social platform. */
const channelOfPeople = (onQueued: () => void): HandoverChannel => ({
  async silence(turn, nowMs) {
    const now = seconds(nowMs);
    await turn.channel.endStored({ status: 'done', reason: 'PAUSED', now });
    await turn.channel.cancelOfAgent(now);
  },
  async say(turn, { id: messageId, text }, nowMs) {
    const thread = await turn.channel.thread();
    if (thread === null || thread.windowUntilMs <= nowMs) return;
    await turn.channel.queue([messageTo(thread, { kind: 'answer', text, messageId }, nowMs)]);
    onQueued();
  },
  async send(turn, { id: messageId, text }, nowMs) {
    const thread = existing(await turn.channel.thread(), 'RESOURCE_NOT_FOUND');
    if (thread.windowUntilMs <= nowMs)
      throw invalidField(
        'text',
        'cannot be sent: the platform accepts messages for 24 hours after the last one',
      );
    await turn.channel.queue([messageTo(thread, { kind: 'human', text, messageId }, nowMs)]);
    onQueued();
  },
});

/** Thrown to roll back a turn if the message was queued before. */
class Repeated extends Error {
  override name = 'Repeated';
}

export function createTakeOver({
  flow,
  store,
  people,
  humanPauseSeconds,
  clock,
  onQueued,
}: {
  flow: ChannelFlow;
  store: Pick<Conversations, 'reads' | 'turns'>;
  people: PersonConversations;
  humanPauseSeconds: number;
  clock: Clock;
  onQueued: () => void;
}): TakeOver {
  const channel = channelOfPeople(onQueued);

  /** Stops the agent in a conversation: drops its answer in progress, and cancels its unsent messages. */
  async function stop(turn: ConversationTurn, untilMs: number | null, nowMs: number): Promise<void> {
    await dropAnswer(turn);
    await channel.silence(turn, nowMs);
    const { handover } = turn.conversation;
    if (handover)
      changeState(
        turn,
        { before: handoverAt(handover, nowMs), next: pausedUntil(handover, untilMs, nowMs) },
        nowMs,
      );
  }

  const pauseEnd = (nowMs: number): number => nowMs + humanPauseSeconds * 1000;

  async function known(agentId: string, conversationId: string): Promise<ConversationRow> {
    const found = isUuid(conversationId) ? await store.reads.conversation(agentId, conversationId) : null;
    return existing(found?.source === 'social' ? found : null, 'RESOURCE_NOT_FOUND');
  }

  async function inTurn<T>(
    agentId: string,
    conversationId: string,
    work: (turn: ConversationTurn, thread: Thread, nowMs: number) => Promise<T>,
  ): Promise<T> {
    const { id, workspaceId } = await known(agentId, conversationId);
    return store.turns
      .run(
        id,
        async (turn) => work(turn, existing(await turn.channel.thread(), 'RESOURCE_NOT_FOUND'), clock.now()),
        workspaceId,
      )
      .catch((error: unknown) => {
        throw error instanceof ConversationGone ? new ApiError('RESOURCE_NOT_FOUND') : error;
      });
  }

  return {
    channel,
    async byPerson({ connection, attempt }, event, text) {
      const { agentId, workspaceId, accountId } = connection;
      const { personId } = event;
      const person = await people.of({
        agentId,
        workspaceId,
        accountId: accountId as string,
        personId,
        windowUntilMs: 0,
      });
      await people.run(person, async (turn) => {
        // An earlier attempt may have stored the message.
        const [current] = await turn.channel.claimed([event.id], attempt);
        const before = await turn.channel.thread();
        if (!current || current.userMessageId !== null || before === null) return;
        const nowMs = clock.now();
        await stop(turn, pauseEnd(nowMs), nowMs);
        const id = await storeAgentMessage(turn, text === '' ? '[file]' : text, nowMs);
        turn.change({ unread: 0 });
        announcePersonMessage(turn, id, nowMs);
        await turn.channel.stored(event.id, id);
      });
    },
    async mustExist(agentId, conversationId) {
      await known(agentId, conversationId);
    },
    read: (agentId, conversationId) =>
      inTurn(agentId, conversationId, async ({ conversation }, thread) => ({ conversation, thread })),
    async write(agentId, conversationId, text, onceKey) {
      try {
        const row = await inTurn(agentId, conversationId, async (turn, thread, nowMs) => {
          await stop(turn, pauseEnd(nowMs), nowMs);
          const messageId = await storeAgentMessage(turn, text, nowMs);
          turn.change({ unread: 0 });
          announcePersonMessage(turn, messageId, nowMs);
          const message = messageTo(thread, { kind: 'human', text, messageId, onceKey }, nowMs);
          if (!(await turn.channel.queueOnce(message))) throw new Repeated();
          turn.audit();
          return message;
        });
        onQueued();
        return row;
      } catch (error) {
        const known = error instanceof Repeated && onceKey ? await flow.outgoingOnce(agentId, onceKey) : null;
        if (known) return known;
        throw error;
      }
    },
    pause: (agentId, conversationId, paused) =>
      inTurn(agentId, conversationId, async (turn, _, nowMs) => {
        turn.audit({ before: { paused: isAnsweredByPeople(turn.conversation, nowMs) } });
        if (paused) await stop(turn, null, nowMs);
        else if (turn.conversation.handover) {
          const before = handoverAt(turn.conversation.handover, nowMs);
          changeState(turn, { before, next: answeredByAgent(seconds(nowMs)) }, nowMs);
        }
      }),
    delete: (agentId, conversationId) =>
      inTurn(agentId, conversationId, (turn, _, nowMs) => {
        turn.audit();
        return turn.delete(nowMs);
      }),
  };
}
