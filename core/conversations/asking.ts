import { randomUUID } from 'node:crypto';
import type { Answerer, AnswererPlace, AnsweringAgent } from '../chat/answerer.js';
import { ApiError, keyReused } from '../errors/api-error.js';
import { type Clock, seconds } from '../ports/clock.port.js';
import type { ToolDeclaration } from '../ports/model.port.js';
import {
  type BoundKey,
  ConversationGone,
  type ConversationLookup,
  type ConversationRow,
  type Conversations,
  type ConversationTurn,
} from '../ports/store/conversations/conversations.js';
import { AgentGone, KeyTaken } from '../ports/store/store-errors.js';
import type { StoredResponses } from '../ports/store/stored-responses.js';
import { isUuid } from '../schemas/uuid.js';
import { unexpired } from '../stored-responses.js';
import type { VisitorAllowance } from '../visitors/allowance.js';
import type { DayCounts } from '../visitors/day-counts.js';
import type { AnswerState } from './answer-state.js';
import type { Answers, Ending } from './answers.js';
import type { ConversationQueue } from './conversation-queue.js';
import type { Followed } from './follow.js';
import { readHistory } from './history.js';
import { beginConversation, newConversation, newConversationId } from './new-conversation.js';
import {
  type Opened,
  type Opening,
  type OpeningContext,
  type OpeningRows,
  openConversation,
  openReply,
  openRetry,
  readOpening,
} from './open-answer.js';
import { VisitorsUnavailable } from './speaking-rate.js';
import { sees, type Viewer } from './viewer.js';

/** Agent and caller of a request. */
export interface Asker extends AnsweringAgent {
  viewer: Viewer;
  /** Owner of the share of writers that the request uses. */
  share: string;
  /** Limits of a visitor; null for API keys. */
  visitor: VisitorAllowance | null;
  /** Called for a visitor's message that is within its limits, before it is stored. Throws to refuse it. */
  onAdmitted?: (() => void) | undefined;
  requestId: string;
  /** Idempotency key and request, hashed. */
  key: { hash: string; fingerprint: string } | null;
}

interface ChatMessage {
  /** Undefined continues with the results of tools. */
  message: string | undefined;
  /** Undefined starts a new conversation. */
  conversationId: string | undefined;
  /** Ignored if the viewer is a user. */
  userId: string | undefined;
  tools: readonly ToolDeclaration[] | undefined;
}

export interface Asked extends Followed {
  userId: string | null;
  /** The request is a repetition, and its answer has ended. */
  hasEnded?: boolean;
}

export interface Asking {
  /**
   * Stores the message and starts an answer, or finds the answer of the same request. Throws ApiError,
   * ModelBusy, RateLimited and VisitorsUnavailable; then nothing was stored.
   */
  chat(asker: Asker, message: ChatMessage): Promise<Asked>;
  /**
   * Runs a turn of another channel, and starts the answer that it opens, if any. `ending` runs in the turn that stores
   * the complete answer. Throws ModelBusy and, unless `isUsedUp`, VisitorsUnavailable.
   */
  open(
    asker: Asker,
    round: {
      conversation: ConversationRow;
      isNew: boolean;
      today: VisitorAllowance['today'];
      isUsedUp: boolean;
      turn: (turn: ConversationTurn, context: OpeningContext) => Promise<Opened | null>;
      ending: Ending;
    },
  ): Promise<{ messageId: number; ended: Promise<AnswerState | null> } | null>;
  /** Starts an answer that replaces this one. Throws as `chat`. */
  retry(
    asker: Asker,
    retry: {
      conversation: ConversationRow;
      messageId: number;
      tools: readonly ToolDeclaration[] | undefined;
    },
  ): Promise<Asked>;
}

interface AskingOptions {
  answerer: Pick<Answerer, 'admit'>;
  conversations: Conversations;
  answers: Answers;
  /** Stored responses to requests with an idempotency key, including chats. */
  responses: Pick<StoredResponses, 'forget'>;
  queue: ConversationQueue;
  dayCounts: DayCounts;
  clock: Clock;
}

/** Finds a conversation that the viewer sees. Without a viewer, every conversation is visible. */
export async function findVisible(
  { reads }: Pick<Conversations, 'reads'>,
  agentId: string,
  conversationId: string,
  viewer: Viewer | null,
): Promise<ConversationRow | null> {
  if (!isUuid(conversationId)) return null;
  const conversation = await reads.conversation(agentId, conversationId.toLowerCase());
  return conversation && (viewer === null || sees(viewer, conversation)) ? conversation : null;
}

export function createAsking({
  answerer,
  conversations,
  answers,
  responses,
  queue,
  dayCounts,
  clock,
}: AskingOptions): Asking {
  const { reads, turns } = conversations;
  type Attempt = (context: OpeningContext) => Promise<Opening>;

  /** Starts an answer that a turn has opened. */
  function begin(
    { agent, settings, models, isVisitor, replyCharacters, share, requestId }: Asker,
    { conversation, message, tools, upTo, together = 1 }: Opened,
    given: { place: AnswererPlace; token: string; ending?: Ending },
  ): void {
    const { id: agentId, workspaceId } = agent;
    const request = async () => ({
      agent,
      settings,
      models,
      isVisitor,
      ...(replyCharacters === undefined ? {} : { replyCharacters }),
      tools,
      together,
      requestId,
      ...(await readHistory(reads, { conversationId: conversation.id, upTo, nowMs: clock.now() })),
    });
    answers.begin({ message, agentId, workspaceId, share, requestId, request, ...given });
  }

  /** Reserves the model, runs the turn, and starts the answer, if any. */
  async function attempt(asker: Asker, ticket: number | null, turn: Attempt) {
    const { agent, settings, visitor, key, onAdmitted } = asker;
    const { workspaceId } = agent;
    const place = answerer.admit(asker);
    const token = randomUUID();
    try {
      const opening = await turn({ settings, key, ticket, token, visitor, onAdmitted, nowMs: clock.now() });
      if (opening.kind !== 'opened') {
        place.release();
        return opening;
      }
      if (visitor) dayCounts.counted(workspaceId, visitor.today);
      begin(asker, opening, { place, token });
      return { kind: opening.kind, messageId: opening.message.id, hasEnded: false };
    } catch (error) {
      place.release();
      throw error;
    }
  }

  /** Finds the message of the request's key. Throws 400 if the key was used for another request. */
  async function boundTo({ agent: { id: agentId }, key }: Asker): Promise<BoundKey | null> {
    const found = key && (await reads.key(agentId, key.hash));
    const bound = await unexpired(found, { responses, ownerId: agentId, now: seconds(clock.now()) });
    if (bound && bound.fingerprint !== key?.fingerprint) throw keyReused();
    return bound;
  }

  /** Returns the error for a conversation that does not exist: a deleted agent has none. */
  const notFound = async (
    { agent }: Asker,
    code: 'CHAT_CONVERSATION_MISMATCH' | 'RESOURCE_NOT_FOUND',
  ): Promise<Error> => ((await reads.agentExists(agent.id)) ? new ApiError(code) : new AgentGone(agent.id));

  /** Throws VisitorsUnavailable. */
  async function mustHaveRoomToday({ agent: { workspaceId }, visitor }: Asker): Promise<void> {
    if (visitor && (await dayCounts.isUsedUp(workspaceId, visitor.today)))
      throw new VisitorsUnavailable(visitor.today.unavailable);
  }

  /** Runs a turn once the conversation is free and the request is first in the queue. */
  const inTurn = (
    asker: Asker,
    { id }: ConversationRow,
    open: (turn: ConversationTurn, context: OpeningContext, rows: OpeningRows) => Promise<Opening>,
  ) =>
    queue.inTurn(id, asker.key?.hash ?? null, (ticket) =>
      attempt(asker, ticket, (context) =>
        turns.run(
          id,
          async (turn, rows) => {
            if (!rows.agentExists) throw new AgentGone(asker.agent.id);
            return open(turn, context, rows);
          },
          asker.share,
          (lookup: ConversationLookup) => readOpening(lookup, context.nowMs),
        ),
      ),
    );

  const asked = (
    { agent }: Asker,
    { id, userId }: Pick<ConversationRow, 'id' | 'userId'>,
    { messageId, hasEnded }: { messageId: number; hasEnded: boolean },
  ): Asked => ({
    agentId: agent.id,
    conversationId: id,
    userId,
    messageId,
    hasEnded,
  });

  /** Finds the answer to which the key of a repeated request is bound. */
  async function askedBefore(
    asker: Asker,
    conversation: ConversationRow,
    bound: BoundKey | null,
  ): Promise<Asked | null> {
    const message = bound && (await reads.message(conversation.id, bound.messageId));
    return (
      message &&
      asked(asker, conversation, { messageId: message.id, hasEnded: message.status !== 'generating' })
    );
  }

  async function chatInNew(
    asker: Asker,
    message: ChatMessage & { message: string },
  ): Promise<Asked | 'bound'> {
    const nowMs = clock.now();
    const conversation = newConversation(
      {
        id: newConversationId(nowMs),
        agentId: asker.agent.id,
        workspaceId: asker.agent.workspaceId,
        source: asker.viewer.source,
        userId: asker.viewer.userId ?? message.userId ?? null,
      },
      nowMs,
    );
    const { message: text, tools = [] } = message;
    try {
      const opening = await attempt(asker, null, (context) =>
        beginConversation(
          turns,
          conversation,
          (turn) => openConversation(turn, { ...context, nowMs }, { text, tools }),
          asker.share,
        ),
      );
      return opening.kind === 'opened' ? asked(asker, conversation, opening) : 'bound';
    } catch (error) {
      if (error instanceof KeyTaken) return 'bound';
      throw error;
    }
  }

  async function chatIn(asker: Asker, conversation: ConversationRow, message: ChatMessage): Promise<Asked> {
    const { message: text, tools } = message;
    const opening = await inTurn(asker, conversation, (turn, context, rows) =>
      openReply(turn, context, rows, { text, tools }),
    );
    return asked(asker, conversation, opening);
  }

  return {
    async chat(asker, message) {
      const bound = await boundTo(asker);
      const id = bound?.conversationId ?? message.conversationId;
      if (id === undefined) {
        if (message.message === undefined) throw new Error('a new conversation needs a message');
        await mustHaveRoomToday(asker);
        const begun = await chatInNew(asker, { ...message, message: message.message });
        // A concurrent request with the same key was first.
        return begun === 'bound' ? this.chat(asker, message) : begun;
      }
      const conversation = await findVisible(conversations, asker.agent.id, id, asker.viewer);
      if (!conversation) throw await notFound(asker, 'CHAT_CONVERSATION_MISMATCH');
      const before = await askedBefore(asker, conversation, bound);
      if (before) return before;
      await mustHaveRoomToday(asker);
      return chatIn(asker, conversation, message).catch(async (error: unknown) => {
        if (error instanceof KeyTaken) return this.chat(asker, message);
        throw error instanceof ConversationGone ? await notFound(asker, 'CHAT_CONVERSATION_MISMATCH') : error;
      });
    },

    async open(asker, { conversation, isNew, today, isUsedUp, turn, ending }) {
      const { workspaceId } = asker.agent;
      if (!isUsedUp && (await dayCounts.isUsedUp(workspaceId, today)))
        throw new VisitorsUnavailable(today.unavailable);
      const place = answerer.admit(asker);
      const token = randomUUID();
      const { settings, visitor } = asker;
      const context = { settings, key: null, ticket: null, token, visitor, nowMs: clock.now() };
      const work = (current: ConversationTurn) => turn(current, context);
      try {
        const opened = isNew
          ? await beginConversation(turns, conversation, work, asker.share)
          : await turns.run(conversation.id, work, asker.share);
        if (opened === null) {
          place.release();
          return null;
        }
        dayCounts.counted(workspaceId, today);
        begin(asker, opened, { place, token, ending });
        const { id: messageId } = opened.message;
        return { messageId, ended: answers.find(messageId)?.ended ?? Promise.resolve(null) };
      } catch (error) {
        place.release();
        throw error;
      }
    },

    async retry(asker, { conversation, messageId, tools }) {
      const bound = await boundTo(asker);
      const before = await askedBefore(asker, conversation, bound);
      if (before) return before;
      if (!bound) await mustBeRetriable(conversation.id, messageId);
      await mustHaveRoomToday(asker);
      const opened = await inTurn(asker, conversation, (turn, context, rows) =>
        openRetry(turn, context, rows, { messageId, tools }),
      ).catch(async (error: unknown) => {
        throw error instanceof ConversationGone ? await notFound(asker, 'RESOURCE_NOT_FOUND') : error;
      });
      return asked(asker, conversation, opened);
    },
  };

  /** Refuses before the request is queued. */
  async function mustBeRetriable(conversationId: string, messageId: number): Promise<void> {
    const target = await reads.message(conversationId, messageId);
    if (target?.role !== 'assistant') throw new ApiError('CHAT_RETRY_MESSAGE_NOT_FOUND');
    if (target.userMessageId === null) throw new ApiError('CHAT_RETRY_NO_USER_MESSAGE');
  }
}
