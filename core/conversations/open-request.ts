import { handoverSettings } from '../agent-settings/handover-settings.js';
import { rateLimitOf } from '../agent-settings/rate-limit.js';
import { ApiError, invalidField } from '../errors/api-error.js';
import { seconds } from '../ports/clock.port.js';
import type { ToolDeclaration } from '../ports/model.port.js';
import type { BoundKey, MessageRow, QueuedRequest } from '../ports/store/conversations/conversation-rows.js';
import type { ConversationLookup, ConversationTurn } from '../ports/store/conversations/conversations.js';
import { KeyTaken } from '../ports/store/store-errors.js';
import { enterQueue, type QueueOutcome } from './conversation-queue.js';
import { answerToCall } from './handover/person-asked.js';
import { isAnsweredByPeople, reopen, waitForPerson } from './handover/state.js';
import { storeAgentMessage, storeInitialMessages, storeUserMessage } from './messages.js';
import { type Opened, type OpeningContext, openAnswer, storeAndOpenAnswer } from './open-answer.js';
import { questionHash } from './question-hash.js';
import { textOf } from './script-writer.js';
import { countSpoken, subjectOf } from './speaking-rate.js';
import { countSpokenBy, countVisitor } from './visitor-rate.js';

// First turn of a request of the API or the widget: checks, counts and stores it, and opens the answer.

interface Bound {
  kind: 'bound';
  messageId: number;
  hasEnded: boolean;
}

export type Opening =
  | Opened
  /** The answer is already stored: the request is a repetition, or needs no model. */
  | Bound
  /** The message of the user is stored for a person. */
  | { kind: 'forPerson'; messageId: number }
  | Extract<QueueOutcome, { kind: 'wait' }>;

export interface OpeningRows {
  agentExists: boolean;
  queued: QueuedRequest[];
  /** The newest answer, drafts excluded. */
  last: MessageRow | null;
}

/** A request and its position in the queue of its conversation. */
interface Place {
  queued: QueuedRequest[];
  /** Null if the request has not been queued. */
  ticket: number | null;
}

/** Reads the rows for `openReply` and `openRetry`, under the lock of the conversation. */
export async function readOpening(
  { agentExists, queue, messages }: ConversationLookup,
  nowMs: number,
): Promise<OpeningRows> {
  const [exists, queued, last] = await Promise.all([
    agentExists(),
    queue.queued(nowMs),
    messages.newest('assistant'),
  ]);
  return { agentExists: exists, queued, last };
}

/** Stores the first message of a new conversation. Throws KeyTaken and RateLimited. */
export async function openConversation(
  turn: ConversationTurn,
  context: OpeningContext,
  message: { text: string; tools: readonly ToolDeclaration[] },
): Promise<Opened | Bound> {
  // A concurrent request with the same key was first: roll back.
  if (context.key && (await turn.keys.find(context.key.hash))) throw new KeyTaken();
  const { initialMessages = [] } = (context.settings.conversation ?? {}) as { initialMessages?: string[] };
  await storeInitialMessages(turn, initialMessages, context.nowMs);
  // The first message of a conversation without a user cannot exceed the limit, but it counts.
  const settings = turn.conversation.userId === null ? {} : context.settings;
  await count(turn, { ...context, settings });
  return (await offerPerson(turn, context, message.text)) ?? storeAndOpenAnswer(turn, context, message);
}

/** Opens the answer to another message of the user, or to the results of tools. */
export async function openReply(
  turn: ConversationTurn,
  context: OpeningContext,
  { last, ...place }: Place & Pick<OpeningRows, 'last'>,
  { text, tools }: { text: string | undefined; tools: readonly ToolDeclaration[] | undefined },
): Promise<Opening> {
  const bound = context.key && (await turn.keys.find(context.key.hash));
  const answer = bound && (await boundAnswer(turn, bound));
  if (answer) return repetitionOf(answer);
  const entry = await enter(turn, context, place);
  if (entry.kind === 'wait') return entry;
  if (isAnsweredByPeople(turn.conversation, context.nowMs)) {
    if (bound) return { kind: 'forPerson', messageId: bound.userMessageId };
    return storeForPerson(turn, context, { last, text });
  }
  if (bound) return answerAgain(turn, context, bound.userMessageId, tools);
  if (text === undefined) return continueAnswer(turn, context, last, tools);
  if (last) await turn.toolCalls.supersede(last.id);
  await count(turn, context);
  reopen(turn, context.nowMs);
  return (
    (await offerPerson(turn, context, text)) ??
    storeAndOpenAnswer(turn, context, { text, tools: tools ?? [] })
  );
}

/**
 * Answers a visitor's message that only asks for a person, without a model: below the answer, the front end shows how to.
 * Returns null for other messages.
 */
async function offerPerson(
  turn: ConversationTurn,
  { settings, visitor, key, nowMs }: OpeningContext,
  text: string,
): Promise<Bound | null> {
  if (visitor === null || !handoverSettings(settings).enabled) return null;
  const language = typeof settings.language === 'string' ? settings.language : null;
  const sentence = answerToCall(text, language, 'person');
  if (sentence === null) return null;
  const userMessageId = await storeUserMessage(turn, { text, isVisitor: true, nowMs });
  const messageId = await storeAgentMessage(turn, sentence, nowMs, { userMessageId, offer: true });
  if (key) await bind(turn, key, { userMessageId, messageId, nowMs });
  return { kind: 'bound', messageId, hasEnded: true };
}

const bind = (
  turn: ConversationTurn,
  { hash: keyHash, fingerprint }: NonNullable<OpeningContext['key']>,
  { userMessageId, messageId, nowMs }: { userMessageId: number; messageId: number; nowMs: number },
): Promise<void> =>
  turn.keys.bind({ keyHash, fingerprint, userMessageId, messageId, createdAt: seconds(nowMs) });

/** Opens the new answer of a retry. It is a draft: the conversation stays unchanged until the answer is complete. */
export async function openRetry(
  turn: ConversationTurn,
  context: OpeningContext,
  place: Place,
  { messageId, tools }: { messageId: number; tools: readonly ToolDeclaration[] | undefined },
): Promise<Opening> {
  const bound = context.key && (await turn.keys.find(context.key.hash));
  const answer = bound && (await turn.messages.find(bound.messageId));
  if (answer) return repetitionOf(answer);
  const entry = await enter(turn, context, place);
  if (entry.kind === 'wait') return entry;
  const target = await turn.messages.find(messageId);
  if (target?.role !== 'assistant') throw new ApiError('CHAT_RETRY_MESSAGE_NOT_FOUND');
  const user = await turn.messages.newest('user', target.id);
  // A retry removes all messages after the question, and never those of people.
  const removesPerson = await turn.messages.hasAuthorAfter(user?.id ?? 0);
  if (removesPerson || isAnsweredByPeople(turn.conversation, context.nowMs))
    throw new ApiError('CHAT_RETRY_MESSAGE_NOT_FOUND');
  if (!user) throw new ApiError('CHAT_RETRY_NO_USER_MESSAGE');
  await count(turn, context);
  const declared = tools ?? (await turn.messages.tools(target.id));
  return openAnswer(turn, context, { ...questionOf(user), tools: declared, draft: true });
}

/** Stores a message that a person will answer. It counts towards the rate limits, but is no question to the agent. */
async function storeForPerson(
  turn: ConversationTurn,
  context: OpeningContext,
  { last, text }: { last: MessageRow | null; text: string | undefined },
): Promise<Opening> {
  if (text === undefined) throw invalidField('message', 'is required: a person answers, without tools');
  const { key, visitor, nowMs } = context;
  if (last) await turn.toolCalls.supersede(last.id);
  if (visitor) await countSpokenBy(turn, visitor, nowMs);
  const messageId = await storeUserMessage(turn, { text, isVisitor: visitor !== null, nowMs });
  waitForPerson(turn, nowMs);
  if (key) await bind(turn, key, { userMessageId: messageId, messageId, nowMs });
  return { kind: 'forPerson', messageId };
}

/** Counts a message of the conversation's user. Throws RateLimited. */
async function count(turn: ConversationTurn, context: OpeningContext): Promise<void> {
  const { settings, visitor, nowMs, onAdmitted } = context;
  if (visitor) {
    await countVisitor(turn, visitor, nowMs);
    return onAdmitted?.();
  }
  const { conversation } = turn;
  return countSpoken(turn, {
    subject: subjectOf(conversation),
    userId: conversation.userId,
    limit: rateLimitOf(settings),
    nowMs,
  });
}

const enter = (turn: ConversationTurn, { key, nowMs }: OpeningContext, { queued, ticket }: Place) =>
  enterQueue(turn, { queued, ticket, keyHash: key?.hash ?? null, nowMs });

/** Finds the answer of an earlier request. A retry may have replaced its first answer. */
const boundAnswer = async (turn: ConversationTurn, { messageId, userMessageId }: BoundKey) =>
  (await turn.messages.find(messageId)) ?? turn.messages.answerTo(userMessageId);

const repetitionOf = ({ id, status }: MessageRow): Opening => ({
  kind: 'bound',
  messageId: id,
  hasEnded: status !== 'generating',
});

/** Returns the question of a stored message. The history ends with that message. */
const questionOf = ({ id, script }: MessageRow) => ({
  userMessageId: id,
  questionHash: questionHash(textOf(script)),
  upTo: id,
});

/** Opens a new answer to the stored message of a repeated request whose answer failed without text. */
async function answerAgain(
  turn: ConversationTurn,
  context: OpeningContext,
  userMessageId: number,
  tools: readonly ToolDeclaration[] | undefined,
): Promise<Opening> {
  const user = await turn.messages.find(userMessageId);
  if (!user) throw new ApiError('CHAT_CONVERSATION_MISMATCH');
  // Otherwise, a visitor could repeat the request without limit by stopping each answer before its text.
  if (context.visitor) await count(turn, context);
  return openAnswer(turn, context, { ...questionOf(user), tools: tools ?? [] });
}

/** Opens the answer to the results of the tools that the last answer has called. */
async function continueAnswer(
  turn: ConversationTurn,
  context: OpeningContext,
  last: MessageRow | null,
  tools: readonly ToolDeclaration[] | undefined,
): Promise<Opening> {
  const calls = last ? await turn.toolCalls.ofMessage(last.id) : [];
  const user = await turn.messages.newest('user');
  if (!last || calls.length === 0 || last.userMessageId === null || (user && user.id > last.id))
    throw invalidField('message', 'is required: no tool call waits for a result');
  const now = seconds(context.nowMs);
  const pending = calls.filter(({ state, expiresAt }) => state === 'pending' && expiresAt > now);
  if (pending.length > 0)
    throw invalidField(
      'message',
      `is required: tool calls ${pending.map(({ id }) => id).join(', ')} have no result yet`,
    );
  turn.change({ updatedAt: now });
  return openAnswer(turn, context, {
    userMessageId: last.userMessageId,
    questionHash: last.questionHash,
    tools: tools ?? (await turn.messages.tools(last.id)),
    upTo: last.id,
  });
}
