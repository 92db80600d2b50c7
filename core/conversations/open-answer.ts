import { rateLimitOf } from '../agent-settings/rate-limit.js';
import { ApiError, invalidField } from '../errors/api-error.js';
import { seconds } from '../ports/clock.port.js';
import type { ToolDeclaration } from '../ports/model.port.js';
import type {
  BoundKey,
  ConversationLookup,
  ConversationRow,
  ConversationTurn,
  MessageRow,
  NewMessage,
  QueuedRequest,
} from '../ports/store/conversations/conversations.js';
import { KeyTaken } from '../ports/store/store-errors.js';
import type { JsonObject } from '../schemas/json.js';
import type { VisitorAllowance } from '../visitors/allowance.js';
import { LEASE_MS } from './answer-saver.js';
import { enterQueue, type QueueOutcome } from './conversation-queue.js';
import { MOST_WORDS_OF_VISITORS, wordsOf } from './message-words.js';
import { questionHash } from './question-hash.js';
import { plainText, textOf } from './script-writer.js';
import { countSpoken, subjectOf } from './speaking-rate.js';
import { titleOf } from './title.js';
import { countVisitor } from './visitor-rate.js';

// First turn of an answer: checks and stores the request, and inserts an empty message with the writer's lease.

export interface OpeningContext {
  settings: JsonObject;
  key: { hash: string; fingerprint: string } | null;
  ticket: number | null;
  /** Token of the answer's lease. */
  token: string;
  nowMs: number;
  /** Null for API keys. */
  visitor: VisitorAllowance | null;
  /** Called for a visitor's message that is within all limits, before it is stored. May be called again. */
  onAdmitted?: (() => void) | undefined;
}

export interface Opened {
  kind: 'opened';
  conversation: ConversationRow;
  message: MessageRow;
  tools: readonly ToolDeclaration[];
  /** The history ends with this message. */
  upTo: number;
  /** How many of the user's last messages are answered together. Defaults to 1. */
  together?: number;
}

export type Opening =
  | Opened
  /** The request is a repetition: this is its answer. */
  | { kind: 'bound'; messageId: number; hasEnded: boolean }
  | Extract<QueueOutcome, { kind: 'wait' }>;

export const bareMessage: Omit<NewMessage, 'role' | 'status' | 'script' | 'createdAt'> = {
  draft: false,
  userMessageId: null,
  finishReason: null,
  model: null,
  usage: null,
  citations: null,
  outcome: null,
  countedOn: null,
  questionHash: null,
  sources: null,
  errorCode: null,
  feedback: null,
  feedbackComment: null,
  lease: null,
  tools: [],
};

/** Counts a message of the conversation's user. Throws RateLimited. */
async function countAsSaid(turn: ConversationTurn, context: OpeningContext): Promise<void> {
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

interface NewAnswer {
  userMessageId: number;
  questionHash: string | null;
  tools: readonly ToolDeclaration[];
  draft: boolean;
}

/** The question of a user's message. */
const asks = ({ id, script }: MessageRow): Pick<NewAnswer, 'userMessageId' | 'questionHash'> => ({
  userMessageId: id,
  questionHash: questionHash(textOf(script)),
});

const emptyAnswer = ({ token, nowMs }: OpeningContext, answer: NewAnswer): NewMessage => ({
  ...bareMessage,
  role: 'assistant',
  status: 'generating',
  script: [],
  createdAt: seconds(nowMs),
  ...answer,
  lease: { token, untilMs: nowMs + LEASE_MS },
});

/** Marks the conversation as busy with the message, and binds the request's key to it. */
async function makeActive(
  turn: ConversationTurn,
  { key, nowMs }: OpeningContext,
  id: number,
  { tools: _, ...message }: NewMessage & { userMessageId: number },
): Promise<MessageRow> {
  turn.change({ activeMessageId: id });
  if (key) {
    const { userMessageId } = message;
    const { hash: keyHash, fingerprint } = key;
    await turn.keys.bind({ keyHash, fingerprint, userMessageId, messageId: id, createdAt: seconds(nowMs) });
  }
  return { ...message, id, conversationId: turn.conversation.id };
}

async function openMessage(
  turn: ConversationTurn,
  context: OpeningContext,
  answer: NewAnswer,
): Promise<MessageRow> {
  const row = emptyAnswer(context, answer);
  const id = await turn.messages.insert(row);
  return makeActive(turn, context, id, { ...row, userMessageId: answer.userMessageId });
}

/** Stores a message of the user, and opens the answer to it. Throws RateLimited. */
async function sayAndAnswer(
  turn: ConversationTurn,
  context: OpeningContext,
  { text, tools }: { text: string; tools: readonly ToolDeclaration[] },
): Promise<Opened> {
  await countAsSaid(turn, context);
  const createdAt = seconds(context.nowMs);
  const user: NewMessage = {
    ...bareMessage,
    role: 'user',
    status: 'completed',
    script: plainText(text),
    createdAt,
  };
  // `insertReply` sets the id of the user's message.
  const asked = { userMessageId: 0, questionHash: questionHash(text) };
  const row = emptyAnswer(context, { ...asked, tools, draft: false });
  const { userMessageId, messageId } = await turn.messages.insertReply(user, row);
  const most = context.visitor ? MOST_WORDS_OF_VISITORS : undefined;
  await turn.messages.storeWords(userMessageId, wordsOf(text, most));
  const message = await makeActive(turn, context, messageId, { ...row, userMessageId });
  const { title, messages } = turn.conversation;
  turn.change({ title: title ?? titleOf(text), messages: messages + 2, updatedAt: createdAt });
  return { kind: 'opened', conversation: turn.conversation, message, tools, upTo: userMessageId };
}

/** Opens an answer to a stored message. */
export async function answerMessage(
  turn: ConversationTurn,
  context: OpeningContext,
  { upTo, together = 1, ...answer }: Omit<NewAnswer, 'draft'> & { upTo: number; together?: number },
): Promise<Opened> {
  const { tools } = answer;
  const message = await openMessage(turn, context, { ...answer, draft: false });
  turn.change({ messages: turn.conversation.messages + 1 });
  return { kind: 'opened', conversation: turn.conversation, message, tools, upTo, together };
}

/** Stores the first message of a new conversation. Throws KeyTaken and RateLimited. */
export async function openConversation(
  turn: ConversationTurn,
  context: OpeningContext,
  { text, tools }: { text: string; tools: readonly ToolDeclaration[] },
): Promise<Opened> {
  // A concurrent request with the same key was first: roll back.
  if (context.key && (await turn.keys.find(context.key.hash))) throw new KeyTaken();
  const { initialMessages = [] } = (context.settings.conversation ?? {}) as { initialMessages?: string[] };
  for (const initial of initialMessages) {
    await turn.messages.insert({
      ...bareMessage,
      role: 'assistant',
      status: 'completed',
      script: plainText(initial),
      createdAt: seconds(context.nowMs),
      finishReason: 'stop',
    });
  }
  turn.change({ messages: initialMessages.length });
  // A new conversation without a user cannot be over the limit, but the message counts.
  const settings = turn.conversation.userId === null ? {} : context.settings;
  return sayAndAnswer(turn, { ...context, settings }, { text, tools });
}

export interface OpeningRows {
  agentExists: boolean;
  queued: QueuedRequest[];
  /** The newest answer, drafts excluded. */
  last: MessageRow | null;
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

/** Opens the answer to another message of the user, or to the results of tools. */
export async function openReply(
  turn: ConversationTurn,
  context: OpeningContext,
  { queued, last }: OpeningRows,
  { text, tools }: { text: string | undefined; tools: readonly ToolDeclaration[] | undefined },
): Promise<Opening> {
  const bound = context.key && (await turn.keys.find(context.key.hash));
  const answer = bound && (await boundAnswer(turn, bound));
  if (answer) return repetitionOf(answer);
  const entry = await enterQueue(turn, { ...context, queued, keyHash: context.key?.hash ?? null });
  if (entry.kind === 'wait') return entry;
  if (bound) return answerAgain(turn, context, bound.userMessageId, tools);
  if (text === undefined) return continueAnswer(turn, context, last, tools);
  if (last) await turn.toolCalls.supersede(last.id);
  return sayAndAnswer(turn, context, { text, tools: tools ?? [] });
}

const repetitionOf = ({ id, status }: MessageRow): Opening => ({
  kind: 'bound',
  messageId: id,
  hasEnded: status !== 'generating',
});

/** Finds the answer of an earlier request. A retry may have replaced its first answer. */
const boundAnswer = async (turn: ConversationTurn, { messageId, userMessageId }: BoundKey) =>
  (await turn.messages.find(messageId)) ?? turn.messages.answerTo(userMessageId);

/** Opens a new answer to the stored message of a repeated request whose answer failed without text. */
async function answerAgain(
  turn: ConversationTurn,
  context: OpeningContext,
  userMessageId: number,
  tools: readonly ToolDeclaration[] | undefined,
): Promise<Opening> {
  const user = await turn.messages.find(userMessageId);
  if (!user) throw new ApiError('CHAT_CONVERSATION_MISMATCH');
  // The key would otherwise admit any number of answers that the visitor stops before their text.
  if (context.visitor) await countAsSaid(turn, context);
  return answerMessage(turn, context, { ...asks(user), tools: tools ?? [], upTo: userMessageId });
}

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
  return answerMessage(turn, context, {
    userMessageId: last.userMessageId,
    questionHash: last.questionHash,
    tools: tools ?? (await turn.messages.tools(last.id)),
    upTo: last.id,
  });
}

/** Opens a draft, so that the conversation stays unchanged until the new answer is complete. */
export async function openRetry(
  turn: ConversationTurn,
  context: OpeningContext,
  { queued }: Pick<OpeningRows, 'queued'>,
  { messageId, tools }: { messageId: number; tools: readonly ToolDeclaration[] | undefined },
): Promise<Opening> {
  const bound = context.key && (await turn.keys.find(context.key.hash));
  const answer = bound && (await turn.messages.find(bound.messageId));
  if (answer) return repetitionOf(answer);
  const entry = await enterQueue(turn, { ...context, queued, keyHash: context.key?.hash ?? null });
  if (entry.kind === 'wait') return entry;
  const target = await turn.messages.find(messageId);
  if (target?.role !== 'assistant') throw new ApiError('CHAT_RETRY_MESSAGE_NOT_FOUND');
  const user = await turn.messages.newest('user', target.id);
  if (!user) throw new ApiError('CHAT_RETRY_NO_USER_MESSAGE');
  await countAsSaid(turn, context);
  const declared = tools ?? (await turn.messages.tools(target.id));
  const message = await openMessage(turn, context, { ...asks(user), tools: declared, draft: true });
  return { kind: 'opened', conversation: turn.conversation, message, tools: declared, upTo: user.id };
}
