import { ApiError } from '../errors/api-error.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { ToolDeclaration } from '../ports/model.port.js';
import type { BoundKey, ConversationRow } from '../ports/store/conversations/conversation-rows.js';
import {
  ConversationGone,
  type ConversationLookup,
  type Conversations,
  type ConversationTurn,
} from '../ports/store/conversations/conversations.js';
import { AgentGone, KeyTaken } from '../ports/store/store-errors.js';
import type { StoredResponses } from '../ports/store/stored-responses.js';
import type { DayCounts } from '../visitors/day-counts.js';
import type { Asker } from './asker.js';
import { boundKey } from './bound-key.js';
import type { ConversationQueue } from './conversation-queue.js';
import type { Followed } from './follow.js';
import { isAnsweredByPeople } from './handover/state.js';
import { beginConversation, newConversation, newConversationId } from './new-conversation.js';
import type { OpeningContext } from './open-answer.js';
import {
  type Opening,
  type OpeningRows,
  openConversation,
  openReply,
  openRetry,
  readOpening,
} from './open-request.js';
import { VisitorsUnavailable } from './speaking-rate.js';
import type { StartAnswer, Started } from './start-answer.js';
import { findVisible } from './viewer.js';

interface ChatMessage {
  /** Undefined to continue with the results of tools. */
  message: string | undefined;
  /** Undefined to start a new conversation. */
  conversationId: string | undefined;
  /** Ignored if the viewer is a user. */
  userId: string | undefined;
  tools: readonly ToolDeclaration[] | undefined;
}

interface Retry {
  conversation: ConversationRow;
  messageId: number;
  tools: readonly ToolDeclaration[] | undefined;
}

export interface Asked extends Followed {
  userId: string | null;
  /** The request is a repetition, and its answer has ended. */
  hasEnded?: boolean;
  /** A person will answer: `messageId` is that of the stored message of the user, and there is no answer to follow. */
  isForPerson?: boolean;
}

/** Questions of the API and the widget. */
export interface Asking {
  /**
   * Stores the message and starts an answer. For a repeated request, finds the answer of the first one. Throws ApiError,
   * ModelBusy, RateLimited and VisitorsUnavailable, before anything is stored.
   */
  chat(asker: Asker, message: ChatMessage): Promise<Asked>;
  /** Starts an answer that replaces this one. Throws the same errors as `chat`. */
  retry(asker: Asker, retry: Retry): Promise<Asked>;
}

interface AskingOptions {
  conversations: Conversations;
  startAnswer: StartAnswer;
  /** Stored responses to requests with an idempotency key, including chats. */
  responses: Pick<StoredResponses, 'forget'>;
  queue: ConversationQueue;
  dayCounts: DayCounts;
  clock: Clock;
}

export function createAsking(options: AskingOptions): Asking {
  const { conversations, startAnswer, responses, queue, dayCounts, clock } = options;
  const { reads, turns } = conversations;

  /** Finds the message to which the request's key is bound. Throws 400 if the key was used for another request. */
  const boundTo = ({ agent: { id: agentId }, key }: Asker): Promise<BoundKey | null> =>
    boundKey({ reads, responses }, { agentId, key, now: seconds(clock.now()) });

  /** Finds the answer to which the key of a repeated request is bound. */
  async function askedBefore(conversation: ConversationRow, bound: BoundKey | null): Promise<Asked | null> {
    const message = bound && (await reads.message(conversation.id, bound.messageId));
    if (!message) return null;
    return asked(conversation, {
      messageId: message.id,
      hasEnded: message.status !== 'generating',
      isForPerson: message.role === 'user',
    });
  }

  /** Throws VisitorsUnavailable if the workspace has used up its visitor messages for today. */
  async function requireRoomToday({ agent: { workspaceId }, visitor }: Asker): Promise<void> {
    if (visitor && (await dayCounts.isUsedUp(workspaceId, visitor.today)))
      throw new VisitorsUnavailable(visitor.today.unavailable);
  }

  /** Refuses an impossible retry before the request is queued. */
  async function requireRetriable(conversationId: string, messageId: number): Promise<void> {
    const target = await reads.message(conversationId, messageId);
    if (target?.role !== 'assistant' || target.author !== null)
      throw new ApiError('CHAT_RETRY_MESSAGE_NOT_FOUND');
    if (target.userMessageId === null) throw new ApiError('CHAT_RETRY_NO_USER_MESSAGE');
  }

  /** Starts an answer, and counts the message of a visitor. */
  async function start<T extends { kind: string } = never>(
    asker: Asker,
    open: Parameters<typeof startAnswer<T>>[1],
  ) {
    const outcome = await startAnswer<T>(asker, open);
    const { agent, visitor } = asker;
    if (outcome.kind === 'started' && visitor) dayCounts.counted(agent.workspaceId, visitor.today);
    return outcome;
  }

  async function askInNew(asker: Asker, { message: text, userId, tools = [] }: ChatMessage): Promise<Asked> {
    if (text === undefined) throw new Error('a new conversation needs a message');
    const nowMs = clock.now();
    const { agent, viewer } = asker;
    const conversation = newConversation(
      {
        id: newConversationId(nowMs),
        agentId: agent.id,
        workspaceId: agent.workspaceId,
        source: viewer.source,
        userId: viewer.userId ?? userId ?? null,
      },
      nowMs,
    );
    const started = await start<Exclude<Opening, { kind: 'wait' }>>(asker, (context) =>
      beginConversation(
        turns,
        conversation,
        (turn) => openConversation(turn, { ...context, nowMs }, { text, tools }),
        asker.share,
      ),
    );
    return asked(conversation, resultOf(started));
  }

  /** Runs a turn once the conversation is free and the request is first in the queue. */
  async function askIn(
    asker: Asker,
    conversation: ConversationRow,
    open: (
      turn: ConversationTurn,
      context: OpeningContext,
      queue: OpeningRows & { ticket: number | null },
    ) => Promise<Opening>,
  ): Promise<Asked> {
    const { id } = conversation;
    const outcome = await queue.inTurn(id, asker.key?.hash ?? null, (ticket) =>
      start<Opening>(asker, (context) =>
        turns.run(
          id,
          async (turn, rows) => {
            if (!rows.agentExists) throw new AgentGone(asker.agent.id);
            return open(turn, context, { ...rows, ticket });
          },
          asker.share,
          (lookup: ConversationLookup) => readOpening(lookup, context.nowMs),
        ),
      ),
    );
    return asked(conversation, resultOf(outcome));
  }

  /** Returns the error for a missing conversation: AgentGone if its agent was deleted, else an ApiError with `code`. */
  const notFound = async (
    { agent }: Asker,
    code: 'CHAT_CONVERSATION_MISMATCH' | 'RESOURCE_NOT_FOUND',
  ): Promise<Error> => ((await reads.agentExists(agent.id)) ? new ApiError(code) : new AgentGone(agent.id));

  async function chat(asker: Asker, message: ChatMessage): Promise<Asked> {
    const bound = await boundTo(asker);
    const id = bound?.conversationId ?? message.conversationId;
    const conversation =
      id === undefined ? null : await findVisible(conversations, asker.agent.id, id, asker.viewer);
    if (id !== undefined && !conversation) throw await notFound(asker, 'CHAT_CONVERSATION_MISMATCH');
    const before = conversation && (await askedBefore(conversation, bound));
    if (before) return before;
    // People answer without a model, so their conversations stay open.
    if (!conversation || !isAnsweredByPeople(conversation, clock.now())) await requireRoomToday(asker);
    try {
      if (!conversation) return await askInNew(asker, message);
      const { message: text, tools } = message;
      return await askIn(asker, conversation, (turn, context, rows) =>
        openReply(turn, context, rows, { text, tools }),
      );
    } catch (error) {
      // A concurrent request with the same key was first.
      if (error instanceof KeyTaken) return chat(asker, message);
      throw error instanceof ConversationGone ? await notFound(asker, 'CHAT_CONVERSATION_MISMATCH') : error;
    }
  }

  return {
    chat,
    async retry(asker, { conversation, messageId, tools }) {
      const bound = await boundTo(asker);
      const before = await askedBefore(conversation, bound);
      if (before) return before;
      if (!bound) await requireRetriable(conversation.id, messageId);
      await requireRoomToday(asker);
      return askIn(asker, conversation, (turn, context, rows) =>
        openRetry(turn, context, rows, { messageId, tools }),
      ).catch(async (error: unknown) => {
        throw error instanceof ConversationGone ? await notFound(asker, 'RESOURCE_NOT_FOUND') : error;
      });
    },
  };
}

const asked = (
  { agentId, id: conversationId, userId }: ConversationRow,
  result: Pick<Asked, 'messageId' | 'hasEnded' | 'isForPerson'>,
): Asked => ({ agentId, conversationId, userId, ...result });

/** Describes the answer that was started, or that a repeated request has found, or the message for a person. */
function resultOf(
  outcome: Started | Extract<Opening, { kind: 'bound' | 'forPerson' }>,
): Pick<Asked, 'messageId' | 'hasEnded' | 'isForPerson'> {
  if (outcome.kind === 'started') return { messageId: outcome.answer.messageId, hasEnded: false };
  const { messageId } = outcome;
  return outcome.kind === 'bound'
    ? { messageId, hasEnded: outcome.hasEnded }
    : { messageId, hasEnded: true, isForPerson: true };
}
