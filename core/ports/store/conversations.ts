import type { JsonObject, JsonValue } from '../../schemas/json.js';
import type { ModelFinish, ToolDeclaration } from '../model.port.js';
import type { AnswerFailureCode, Citation, Usage } from './answer.js';
import type { PageRequest } from './pages.js';

/*
 * Conversations, as core needs them stored: reads that wait for nothing, the unit of work of one turn, what
 * an answer under way saves, and what sweeps look for. Instants named `…At` are Unix seconds, `…AtMs` and
 * `…UntilMs` milliseconds.
 */

export const conversationSources = ['api', 'widget', 'social'] as const;
export type ConversationSource = (typeof conversationSources)[number];
export type MessageRole = 'user' | 'assistant' | 'tool';
export type MessageStatus = 'generating' | 'completed' | 'stopped' | 'failed';
export type FinishReason = ModelFinish | 'error';
export type Feedback = 'positive' | 'negative';

/** What the client said about a call of one of its tools. */
export type ToolResult = { output: JsonValue } | { error: string };

/**
 * The content of a message in the order in which it was made: its parts, and between them what a stream tells beside
 * them. `part` is the index in the message's parts; a text may come in several items, with sources between.
 */
export type ScriptItem =
  /** A model is asked, at this price. */
  | { kind: 'step-start'; model: string; credits: number }
  | { kind: 'step-finish' }
  | { kind: 'source'; citation: Citation }
  | { kind: 'text'; part: number; text: string }
  | { kind: 'tool-call'; part: number; toolCallId: string; toolName: string; input: JsonObject }
  | ({ kind: 'tool-result'; part: number; toolCallId: string; toolName: string } & ToolResult);
export type Script = readonly ScriptItem[];

/** How an answer ended that left no message. */
export type EmptyEnd =
  | { messageId: number; outcome: 'stopped' }
  | { messageId: number; outcome: 'failed'; code: AnswerFailureCode };

export interface ConversationRow {
  /** UUID v7 of the instant at which it was made: ids sort by it. */
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
  /** The answer under way. */
  activeMessageId: number | null;
  lastEmptyEnd: EmptyEnd | null;
}

export interface MessageRow {
  id: number;
  conversationId: string;
  role: MessageRole;
  status: MessageStatus;
  /** Written by a retry that has not ended: in no list and no count. */
  draft: boolean;
  script: Script;
  createdAt: number;
  /** Of an answer: the message that it answers. */
  userMessageId: number | null;
  finishReason: FinishReason | null;
  model: string | null;
  usage: Usage | null;
  /** Once the answer has ended. */
  citations: Citation[] | null;
  errorCode: AnswerFailureCode | null;
  feedback: Feedback | null;
  feedbackComment: string | null;
  /** The lease of an answer under way: until then, only a holder of the token may write it. */
  lease: { token: string; untilMs: number } | null;
}

export type NewMessage = Omit<MessageRow, 'id' | 'conversationId'> & { tools: readonly ToolDeclaration[] };

export type ToolCallState = 'pending' | 'answered' | 'superseded';

export interface ToolCallRow {
  /** Ours, unique in the installation. */
  id: string;
  messageId: number;
  conversationId: string;
  toolName: string;
  input: JsonObject;
  /** A pending call whose time is over counts as expired. */
  state: ToolCallState;
  expiresAt: number;
  result: ToolResult | null;
}

/** The part of a tool call that changes while the client works on it. */
export type ToolCallStanding = Pick<ToolCallRow, 'id' | 'state' | 'expiresAt'>;

export type NewToolCall = Pick<ToolCallRow, 'id' | 'toolName' | 'input' | 'expiresAt'>;

/** A request that is queued for a busy conversation. */
export interface QueuedRequest {
  /** Increases with each request. */
  ticket: number;
  /** Hash of its idempotency key. */
  keyHash: string | null;
}

/** What an idempotency key is bound to. */
export interface BoundKey {
  keyHash: string;
  /** Of the request's content: another one may not use the key. */
  fingerprint: string;
  conversationId: string;
  /** Of the message that is answered. */
  userMessageId: number;
  /** The answer that was begun last with this key. */
  messageId: number;
  createdAt: number;
}

export interface ConversationFilter {
  source?: ConversationSource | undefined;
  userId?: string | undefined;
  conversationId?: string | undefined;
  /** On `createdAt`, both inclusive. */
  startDate?: number | undefined;
  endDate?: number | undefined;
}

export interface ConversationReads {
  conversation(agentId: string, conversationId: string): Promise<ConversationRow | null>;
  /** Newest first; one more than asked for. */
  page(agentId: string, filter: ConversationFilter, page: PageRequest): Promise<ConversationRow[]>;
  /** Oldest first, strictly newer than `page.before`; one more than asked for. */
  export(agentId: string, filter: ConversationFilter, page: PageRequest): Promise<ConversationRow[]>;
  /** From counters, unless the filter names a user, a conversation or dates. */
  count(agentId: string, filter: ConversationFilter): Promise<number>;
  /** Drafts included. */
  message(conversationId: string, messageId: number): Promise<MessageRow | null>;
  /** Newest first, without drafts; one more than asked for. */
  messages(conversationId: string, page: PageRequest): Promise<MessageRow[]>;
  /**
   * Counts the messages of this page (at most `limit`) that together take at most `mostBytes`, and their bytes: those
   * stored and `limits.chat.messageBytes` for each. The newest one always counts.
   */
  fitting(
    conversationId: string,
    page: PageRequest,
    mostBytes: number,
  ): Promise<{ messages: number; bytes: number }>;
  /** The newest of user or assistant that is no draft. */
  newest(conversationId: string): Promise<MessageRow | null>;
  toolCalls(messageIds: number[]): Promise<ToolCallRow[]>;
  /** The same without inputs and results, which may be large. */
  toolCallStates(messageIds: number[]): Promise<ToolCallStanding[]>;
  key(agentId: string, keyHash: string): Promise<BoundKey | null>;
  /** The queue of a conversation, and its active message. Null if the conversation was deleted. */
  queue(
    conversationId: string,
    nowMs: number,
  ): Promise<{ activeMessageId: number | null; queued: QueuedRequest[] } | null>;
  /** Credits and tokens of a workspace from a day on (`YYYY-MM-DD`, UTC), by day, agent and model, newest day first. */
  credits(workspaceId: string, fromDay: string, limit: number): Promise<CreditCount[]>;
  /** All of them together. */
  creditTotals(workspaceId: string, fromDay: string): Promise<CreditTotals>;
  /**
   * UTF-8 bytes of the messages and tool calls of the conversations of a workspace, or of all. An answer in progress
   * counts when it ends.
   */
  storedBytes(workspaceId: string | null): Promise<number>;
}

export type CreditTotals = Pick<CreditCount, 'answers' | 'credits' | 'inputTokens' | 'outputTokens'>;

export interface CreditCount {
  agentId: string;
  model: string;
  /** `YYYY-MM-DD`, UTC. */
  day: string;
  answers: number;
  credits: number;
  inputTokens: number;
  outputTokens: number;
}

/**
 * What one turn of a conversation can see and do, inside one transaction that holds the conversation's row.
 * Nothing is visible to others before the turn commits; a throw undoes all of it.
 */
export interface ConversationTurn {
  readonly conversation: ConversationRow;
  change(
    patch: Partial<
      Pick<
        ConversationRow,
        'title' | 'messages' | 'toolRecords' | 'updatedAt' | 'activeMessageId' | 'lastEmptyEnd'
      >
    >,
  ): void;
  /** Whether the agent is still there. */
  agentExists(): Promise<boolean>;
  /** Deletes the conversation with all that belongs to it. The writer of its answer is told to stop. */
  delete(nowMs: number): Promise<void>;
  messages: TurnMessages;
  toolCalls: TurnToolCalls;
  queue: TurnQueue;
  keys: TurnKeys;
  /**
   * When a subject of the agent's rate limit last wrote, in milliseconds, oldest first, at most a hundred;
   * locked until the turn ends.
   */
  spoken(subject: string): Promise<number[]>;
  writeSpoken(subject: string, timesMs: number[]): Promise<void>;
  /** Adds to the counters of the conversation's workspace and agent, when the turn ends. */
  charge(entry: Omit<CreditCount, 'agentId' | 'answers'>): void;
}

/** Reads that can be sent to the database in the same message as the lock of the conversation. */
export interface ConversationLookup {
  agentExists: ConversationTurn['agentExists'];
  messages: Pick<TurnMessages, 'find' | 'newest'>;
  queue: Pick<TurnQueue, 'queued'>;
}

export interface TurnMessages {
  /** Assigns the id. Keeps no counters. */
  insert(row: NewMessage): Promise<number>;
  /** Inserts a message of the user and the answer to it, in one round trip. Sets the answer's `userMessageId`. */
  insertReply(user: NewMessage, answer: NewMessage): Promise<{ userMessageId: number; messageId: number }>;
  /** Drafts included. */
  find(messageId: number): Promise<MessageRow | null>;
  tools(messageId: number): Promise<ToolDeclaration[]>;
  /** The newest of this role that is no draft, older than `before` if given. */
  newest(role: MessageRole, before?: number): Promise<MessageRow | null>;
  /** The first answer after this message that is no draft, before the next user message. */
  answerTo(userMessageId: number): Promise<MessageRow | null>;
  update(messageId: number, patch: Partial<Omit<NewMessage, 'tools'>>): Promise<void>;
  /** With its tool calls. */
  delete(messageId: number): Promise<void>;
  /** Deletes what is newer and no draft; says how many went. */
  deleteAfter(messageId: number): Promise<{ messages: number; toolRecords: number }>;
  /** Drafts become messages; says how many. */
  promoteDrafts(): Promise<{ messages: number; toolRecords: number }>;
  deleteDrafts(): Promise<void>;
  /** Asks the process that writes the answer to end it. */
  askToStop(messageId: number, nowMs: number): Promise<void>;
  askedToStop(messageId: number): Promise<boolean>;
  /** Deletes the request to stop: the answer has ended. */
  forgetStop(messageId: number): Promise<void>;
}

export interface TurnToolCalls {
  find(toolCallId: string): Promise<ToolCallRow | null>;
  ofMessage(messageId: number): Promise<ToolCallRow[]>;
  insert(messageId: number, calls: NewToolCall[]): Promise<void>;
  update(toolCallId: string, patch: Pick<ToolCallRow, 'state' | 'result'>): Promise<void>;
  /** Pending calls of the message become superseded. */
  supersede(messageId: number): Promise<void>;
}

export interface TurnQueue {
  /** Returns the queue in FIFO order, and deletes expired entries. */
  queued(nowMs: number): Promise<QueuedRequest[]>;
  join(keyHash: string | null, untilMs: number): Promise<number>;
  leave(ticket: number): Promise<void>;
}

export interface TurnKeys {
  find(keyHash: string): Promise<BoundKey | null>;
  /** Overwrites an earlier binding of the key by the same request. */
  bind(key: Omit<BoundKey, 'conversationId'>): Promise<void>;
}

export interface ConversationTurns {
  /**
   * Runs `turn` in a transaction that holds the conversation's row. It is repeated as a whole after
   * contention or a lost connection, so it must have no other effects. Workspaces take turns at writing;
   * without `workspaceId` it is the service that writes. Rejects with ConversationGone when there is none.
   * `look` reads the rows that the turn is known to need. It runs under the lock and takes no round trip of its own.
   */
  run<T, L = undefined>(
    conversationId: string,
    turn: (turn: ConversationTurn, found: L) => Promise<T>,
    workspaceId?: string,
    look?: (lookup: ConversationLookup) => Promise<L>,
  ): Promise<T>;
  /** The same for a conversation that this turn makes. */
  begin<T>(conversation: ConversationRow, turn: (turn: ConversationTurn) => Promise<T>): Promise<T>;
}

/** What one answer under way writes. */
export interface AnswerSave {
  messageId: number;
  conversationId: string;
  token: string;
  /** The script as far as it has come; null only extends the lease. */
  script: Script | null;
  /** Calls that the script shows for the first time. */
  toolCalls: NewToolCall[];
  leaseUntilMs: number;
}

export interface ConversationSaves {
  /**
   * All in one transaction. Says which of them were not written because another writer has their
   * lease, or they are gone.
   */
  save(saves: AnswerSave[]): Promise<number[]>;
  /** Answers that somebody has asked to stop since then, in the whole installation. */
  stopsAsked(sinceMs: number): Promise<number[]>;
  /** Extends the lease of an entry. Returns false if the entry is gone. */
  extendWait(ticket: number, untilMs: number): Promise<boolean>;
  leaveQueue(ticket: number): Promise<void>;
}

export interface ConversationSweeps {
  /** Answers whose lease has ended. */
  lostAnswers(nowMs: number, limit: number): Promise<{ messageId: number; conversationId: string }[]>;
  /** Conversations in which nothing was said since. */
  silentSince(before: number, limit: number): Promise<string[]>;
  /**
   * Deletes old keys, subjects of rate limits and requests to stop, at most `limit` of each kind.
   * Returns how many rows.
   */
  forget(before: { keys: number; spokenMs: number; stopsMs: number }, limit: number): Promise<number>;
}

export interface Conversations {
  reads: ConversationReads;
  turns: ConversationTurns;
  saves: ConversationSaves;
  sweeps: ConversationSweeps;
}

/** The conversation does not exist (any more). */
export class ConversationGone extends Error {
  constructor(conversationId: string) {
    super(`no conversation ${conversationId}`);
    this.name = 'ConversationGone';
  }
}
