import type { Citation, Usage, UsedDocument } from '../../../core/ports/store/conversations/answer.js';
import type {
  Assignee,
  BoundKey,
  ConversationHead,
  ConversationRow,
  EmptyEnd,
  Handover,
  MessageAuthor,
  MessageRow,
  NewMessage,
  QueuedRequest,
  Script,
  ToolCallProgress,
  ToolCallRow,
  ToolResult,
} from '../../../core/ports/store/conversations/conversation-rows.js';
import type { CreditCount, CreditTotals } from '../../../core/ports/store/conversations/credits.js';
import type { CountedAnswer } from '../../../core/ports/store/conversations/statistics.js';
import type { JsonObject } from '../../../core/schemas/json.js';
import type { Row } from '../database/connection.js';
import {
  bigint,
  type Column,
  counted,
  flag,
  integer,
  json,
  named,
  orNull,
  primary,
  text,
  uuid,
} from './column.js';
import { table } from './table.js';

const conversationColumns = {
  id: primary(uuid),
  agentId: uuid,
  workspaceId: uuid,
  source: text<ConversationRow['source']>(),
  userId: orNull(text()),
  title: orNull(text()),
  messages: integer,
  toolRecords: integer,
  createdAt: bigint,
  updatedAt: bigint,
  activeMessageId: orNull(bigint),
  lastEmptyEnd: orNull(json<EmptyEnd>()),
  position: bigint,
  statePosition: bigint,
  unread: integer,
};
const handoverColumns = {
  state: orNull(text<Handover['state']>()),
  stateSince: bigint,
  assigneeType: orNull(text<Assignee['type']>()),
  assigneeId: orNull(uuid),
  assigneeName: orNull(text()),
  shownName: orNull(text()),
  waitingSince: orNull(bigint),
  reason: orNull(text()),
  humanUntilMs: orNull(bigint),
};
const shownConversation = table('conversations', { ...conversationColumns, ...handoverColumns });
/**
 * `inboxPlace` orders the conversations of a state in the inbox. `inboxChangedAtMs` is 0 for conversations that only the
 * agent has answered. `bytes` is the size of all its messages and tool calls. `anonymousAt` is the start of the retention period of an
 * anonymous visitor's conversation; null for others.
 */
export const conversations = table('conversations', {
  ...conversationColumns,
  ...handoverColumns,
  inboxPlace: bigint,
  inboxChangedAtMs: bigint,
  bytes: bigint,
  anonymousAt: orNull(bigint),
});

const head = table('conversations', {
  id: primary(uuid),
  position: bigint,
  typingVisitorMs: bigint,
  typingHumanMs: bigint,
});
export const headColumns = head.list();
export const headOf = (row: Row): ConversationHead => head.decode(row);

export function conversationOf(row: Row): ConversationRow {
  const {
    state,
    stateSince,
    assigneeType,
    assigneeId,
    assigneeName,
    shownName,
    waitingSince,
    reason,
    humanUntilMs,
    ...conversation
  } = shownConversation.decode(row);
  if (state === null) return { ...conversation, handover: null };
  const assignee =
    assigneeId === null
      ? null
      : { type: assigneeType as Assignee['type'], id: assigneeId, name: assigneeName as string };
  return {
    ...conversation,
    handover: { state, stateSince, assignee, shownName, waitingSince, reason, humanUntilMs },
  };
}

/** Later than any wait, in Unix seconds. Conversations without a waiting visitor follow, newest first. */
const NOT_WAITING = 100_000_000_000;

/** Encodes a conversation with the columns that only the storage uses. */
export function encodeConversation({
  handover,
  ...conversation
}: ConversationRow & { anonymousAt?: number | null; inboxChangedAtMs?: number }): Record<string, unknown> {
  const { assignee = null, ...state } = handover ?? {};
  return conversations.encode({
    ...conversation,
    ...state,
    assigneeType: assignee?.type ?? null,
    assigneeId: assignee?.id ?? null,
    assigneeName: assignee?.name ?? null,
    inboxPlace: handover === null ? 0 : (handover.waitingSince ?? NOT_WAITING - handover.stateSince),
  });
}

const messageRow = {
  id: counted(bigint),
  conversationId: uuid,
  role: text<MessageRow['role']>(),
  author: orNull(json<MessageAuthor>()),
  position: orNull(bigint),
  status: text<MessageRow['status']>(),
  draft: flag,
  script: json<Script>(),
  createdAt: bigint,
  userMessageId: orNull(bigint),
  finishReason: orNull(text<NonNullable<MessageRow['finishReason']>>()),
  model: orNull(text()),
  usage: named('answer_usage', orNull(json<Usage>())),
  citations: orNull(json<Citation[]>()),
  outcome: orNull(text<NonNullable<MessageRow['outcome']>>()),
  countedOn: orNull(text()),
  questionHash: orNull(text()),
  sources: orNull(json<UsedDocument[]>()),
  offer: orNull(flag),
  errorCode: orNull(text<NonNullable<MessageRow['errorCode']>>()),
  feedback: orNull(text<NonNullable<MessageRow['feedback']>>()),
  feedbackComment: orNull(text()),
  leaseToken: orNull(uuid),
  leaseUntilMs: orNull(bigint),
};
const shownMessage = table('messages', messageRow);
/** `tools` may be half a megabyte, so it is read only for an answer; null without tools. */
export const messages = table('messages', {
  ...messageRow,
  agentId: uuid,
  tools: orNull(json<NewMessage['tools']>()),
  bytes: bigint,
});

export const messageColumns = shownMessage.list();

const { userMessageId, countedOn, outcome, feedback, citations } = messageRow;
const countedAnswer = table('messages', { userMessageId, countedOn, outcome, feedback, citations });

export const answerColumns = countedAnswer.list();
export const answerOf = (row: Row): CountedAnswer => countedAnswer.decode(row);

export function messageOf(row: Row): MessageRow {
  const { leaseToken, leaseUntilMs, ...message } = shownMessage.decode(row);
  const lease = leaseUntilMs === null ? null : { token: leaseToken as string, untilMs: leaseUntilMs };
  return { ...message, lease };
}

/** Encodes a message or a partial change. */
export const encodeMessage = ({ lease, tools, ...rest }: Partial<NewMessage>): Record<string, unknown> =>
  messages.encode({
    ...rest,
    ...(tools === undefined ? {} : { tools: tools.length === 0 ? null : tools }),
    ...(lease === undefined
      ? {}
      : { leaseToken: lease?.token ?? null, leaseUntilMs: lease?.untilMs ?? null }),
  });

const progress = {
  id: primary(uuid),
  state: text<ToolCallRow['state']>(),
  expiresAt: bigint,
};
const shownCall = {
  ...progress,
  messageId: bigint,
  conversationId: uuid,
  toolName: text(),
  input: json<JsonObject>(),
  result: orNull(json<ToolResult>()),
};
const progressTable = table('tool_calls', progress);
const shownCalls = table('tool_calls', shownCall);
export const toolCalls = table('tool_calls', { ...shownCall, bytes: bigint });

export const toolCallProgressOf = (row: Row): ToolCallProgress => progressTable.decode(row);
export const toolCallOf = (row: Row): ToolCallRow => shownCalls.decode(row);

const queuedRequest = { ticket: counted(bigint), keyHash: orNull(text()) };
const shownRequest = table('conversation_seats', queuedRequest);
export const queuedRequests = table('conversation_seats', {
  ...queuedRequest,
  conversationId: uuid,
  leaseUntilMs: bigint,
});

export const queuedRequestOf = (row: Row): QueuedRequest => shownRequest.decode(row);

/** Keys of chat requests. Other idempotent requests share the table. */
const keys = table('chat_keys', {
  keyHash: text(),
  fingerprint: text(),
  conversationId: uuid,
  userMessageId: bigint,
  messageId: bigint,
  createdAt: bigint,
});

export const keyOf = (row: Row): BoundKey => keys.decode(row);

/** SUM over no rows is NULL. */
const sum: Column<number> = { ...bigint, decode: (value) => Number(value ?? 0) };
const total = { answers: sum, credits: sum, inputTokens: sum, outputTokens: sum };
const creditTotals = table('credit_counts', total);
const credits = table('credit_counts', {
  agentId: uuid,
  model: text(),
  day: named('counted_on', text()),
  ...total,
});

export const creditTotalsOf = (row: Row): CreditTotals => creditTotals.decode(row);
export const creditOf = (row: Row): CreditCount => credits.decode(row);
