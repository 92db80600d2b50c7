import type { JsonObject, JsonValue } from '../../../schemas/json.js';
import type { ModelFinish, ToolDeclaration } from '../../model.port.js';
import type { AnswerFailureCode, Citation, Feedback, StoredFacts } from './answer.js';

/* Rows of conversations. Instants named `…At` are Unix seconds, `…AtMs` and `…UntilMs` milliseconds. */

export const conversationSources = ['api', 'widget', 'social'] as const;
export type ConversationSource = (typeof conversationSources)[number];
/** `requested`: a visitor has asked for a person, and the agent still answers. `human`: only people answer. */
export const conversationStates = ['agent', 'requested', 'human', 'closed'] as const;
export type ConversationState = (typeof conversationStates)[number];
export type MessageRole = 'user' | 'assistant' | 'tool';
export type MessageStatus = 'generating' | 'completed' | 'stopped' | 'failed';
export type FinishReason = ModelFinish | 'error';

export type ToolResult = { output: JsonValue } | { error: string };

/**
 * An item of a message's content, in stream order. `part` is the index among the message's parts. A text may consist of
 * several items with sources between them.
 */
export type ScriptItem =
  /** The start of a model call that costs `credits`. */
  | { kind: 'step-start'; model: string; credits: number }
  | { kind: 'step-finish' }
  | { kind: 'source'; citation: Citation }
  | { kind: 'text'; part: number; text: string }
  | { kind: 'tool-call'; part: number; toolCallId: string; toolName: string; input: JsonObject }
  | ({ kind: 'tool-result'; part: number; toolCallId: string; toolName: string } & ToolResult);
export type Script = readonly ScriptItem[];

/** The end of an answer that produced no message. */
export type EmptyEnd =
  | { messageId: number; outcome: 'stopped' }
  | { messageId: number; outcome: 'failed'; code: AnswerFailureCode };

/** The assignee of a conversation: a member (`id` is that of the membership) or an API key. */
export interface Assignee {
  type: 'user' | 'key';
  id: string;
  name: string;
}

/** State of a conversation that people may answer. */
export interface Handover {
  state: ConversationState;
  stateSince: number;
  assignee: Assignee | null;
  /** Name that visitors see; null without an assignee. */
  shownName: string | null;
  /** Time of the visitor's request, or in `human`, of the oldest message without an answer. */
  waitingSince: number | null;
  /** The visitor's words with the request; null without any, and once the agent answers again. */
  reason: string | null;
  /** In `human`: the agent answers again from then on; null without an end. */
  humanUntilMs: number | null;
}

export interface ConversationRow {
  /** UUID v7, so ids sort by time of creation. */
  id: string;
  agentId: string;
  workspaceId: string;
  source: ConversationSource;
  userId: string | null;
  title: string | null;
  /** User and assistant messages. */
  messages: number;
  toolRecords: number;
  createdAt: number;
  updatedAt: number;
  /** The answer in progress. */
  activeMessageId: number | null;
  lastEmptyEnd: EmptyEnd | null;
  /** Null for conversations of the API: no person answers there. */
  handover: Handover | null;
  /** Number of the last event: a message or a change of the state. Conversations of the API have no events. */
  position: number;
  /** Position of the last change of the state. */
  statePosition: number;
  /** Messages of the user after the last one of a person, or after a person has read the conversation. */
  unread: number;
}

/** The parts of a conversation that its followers poll. */
export interface ConversationHead {
  id: string;
  position: number;
  typingVisitorMs: number;
  typingHumanMs: number;
}

/** Author of a message that was written in place of the agent. */
export interface MessageAuthor {
  /** Of the membership or of the API key. */
  id: string;
  name: string;
  /** Name that visitors see. */
  shownName: string;
}

export interface MessageRow extends StoredFacts {
  id: number;
  conversationId: string;
  role: MessageRole;
  /** Null for messages of users and of the agent. */
  author: MessageAuthor | null;
  /** Position of its event; null for initial messages, answers in progress, and in conversations of the API. */
  position: number | null;
  status: MessageStatus;
  /** Written by a retry in progress. Drafts are excluded from lists and counters. */
  draft: boolean;
  script: Script;
  createdAt: number;
  /** For answers: id of the user's message. */
  userMessageId: number | null;
  finishReason: FinishReason | null;
  /**
   * The day (`YYYY-MM-DD`, UTC) in whose statistics the answer counts. Null if the answer is in progress, answers no
   * question, or was stored by a version without statistics.
   */
  countedOn: string | null;
  /** For answers: a hash that is equal for equal questions. Null if the answer was stored by a version without it. */
  questionHash: string | null;
  errorCode: AnswerFailureCode | null;
  feedback: Feedback | null;
  feedbackComment: string | null;
  /** The lease of an answer in progress: only a holder of the token may write to it. */
  lease: { token: string; untilMs: number } | null;
}

export type NewMessage = Omit<MessageRow, 'id' | 'conversationId'> & { tools: readonly ToolDeclaration[] };

type ToolCallState = 'pending' | 'answered' | 'superseded';

export interface ToolCallRow {
  /** Assigned by us, unique in the installation. */
  id: string;
  messageId: number;
  conversationId: string;
  toolName: string;
  input: JsonObject;
  /** Pending calls past `expiresAt` count as expired. */
  state: ToolCallState;
  expiresAt: number;
  result: ToolResult | null;
}

export type ToolCallProgress = Pick<ToolCallRow, 'id' | 'state' | 'expiresAt'>;

export type NewToolCall = Pick<ToolCallRow, 'id' | 'toolName' | 'input' | 'expiresAt'>;

/** A request that is queued for a busy conversation. */
export interface QueuedRequest {
  /** Increases with each request. */
  ticket: number;
  /** Hash of its idempotency key. */
  keyHash: string | null;
}

/** The request and messages that belong to an idempotency key. */
export interface BoundKey {
  keyHash: string;
  /** Hash of the request's content. A different request must not use the same key. */
  fingerprint: string;
  conversationId: string;
  /** Id of the user's message. */
  userMessageId: number;
  /** The latest answer with this key. */
  messageId: number;
  createdAt: number;
}
