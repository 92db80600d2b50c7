import type { AnswerOutcome } from '../../../schemas/answer-outcomes.js';
import type { WebhookEvent } from '../../../schemas/webhook-events.js';
import type { ToolDeclaration } from '../../model.port.js';
import type { ConversationChannel } from '../channels/channel-flow.js';
import type { NewMail } from '../mails.js';
import type { PageRequest } from '../pages.js';
import type { StoredResponse } from '../stored-responses.js';
import type { Feedback } from './answer.js';
import type { ContactRow } from './contacts.js';
import type {
  BoundKey,
  ConversationHead,
  ConversationRow,
  ConversationSource,
  MessageRole,
  MessageRow,
  NewMessage,
  NewToolCall,
  QueuedRequest,
  Script,
  ToolCallProgress,
  ToolCallRow,
} from './conversation-rows.js';
import type { CreditCount, CreditTotals } from './credits.js';
import type { Inbox } from './inbox.js';
import type { CountedAnswer, StatisticsReads, TurnStatistics } from './statistics.js';

/*
 * Storage of conversations: lock-free reads, the unit of work of one turn, saves of answers in progress, and
 * sweeps. Instants named `…At` are Unix seconds, `…AtMs` and `…UntilMs` milliseconds.
 */

export interface ConversationFilter {
  source?: ConversationSource | undefined;
  userId?: string | undefined;
  conversationId?: string | undefined;
  /** Matches conversations with an answer with this outcome. */
  outcome?: AnswerOutcome | undefined;
  /** Matches conversations with an answer with this feedback. */
  feedback?: Feedback | undefined;
  /** Bounds of `createdAt`, both inclusive. */
  startDate?: number | undefined;
  endDate?: number | undefined;
}

/** What a list shows of the messages of a conversation. */
export interface ConversationSummary {
  /** The newest complete message of the user, the agent or a person; null without any. */
  lastMessage: MessageRow | null;
  /** `negative` if any answer was rated so. */
  feedback: Feedback | null;
  /** Of the newest answer with an outcome. */
  outcome: AnswerOutcome | null;
}

export interface ConversationReads {
  agentExists(agentId: string): Promise<boolean>;
  conversation(agentId: string, conversationId: string): Promise<ConversationRow | null>;
  /** Returns up to `limit` + 1 conversations, newest first. */
  page(agentId: string, filter: ConversationFilter, page: PageRequest): Promise<ConversationRow[]>;
  /** Returns up to `limit` + 1 conversations strictly newer than `page.before`, oldest first. */
  export(agentId: string, filter: ConversationFilter, page: PageRequest): Promise<ConversationRow[]>;
  /**
   * Returns a page of the conversations whose messages contain all these words (hashes), and the number of all such
   * conversations. Reads only the newest conversations that match the filter, up to `limits.chat.search`. Without
   * words, nothing matches.
   */
  search(
    agentId: string,
    filter: ConversationFilter,
    words: Uint32Array,
    page: PageRequest,
  ): Promise<{ rows: ConversationRow[]; total: number }>;
  /** Counts conversations. Reads counters if the filter has no condition except `source`. */
  count(agentId: string, filter: ConversationFilter): Promise<number>;
  /** Returns the summaries of these conversations by id. */
  summaries(conversationIds: readonly string[]): Promise<ReadonlyMap<string, ConversationSummary>>;
  /** Returns the message; also finds drafts. */
  message(conversationId: string, messageId: number): Promise<MessageRow | null>;
  /** Returns up to `limit` + 1 messages without drafts, newest first. */
  messages(conversationId: string, page: PageRequest): Promise<MessageRow[]>;
  /**
   * Counts how many messages of this page (at most `limit`) fit into `mostBytes`, and their bytes. A message takes its
   * stored bytes plus `limits.chat.messageBytes`. The newest message always counts.
   */
  fitting(
    conversationId: string,
    page: PageRequest,
    mostBytes: number,
  ): Promise<{ messages: number; bytes: number }>;
  /** Returns the newest user or assistant message that is not a draft. */
  newest(conversationId: string): Promise<MessageRow | null>;
  /**
   * Returns the newest answer to this message, without drafts. After tool calls, this is the last part of the answer.
   */
  answerTo(conversationId: string, userMessageId: number): Promise<MessageRow | null>;
  /** Returns those of these conversations that exist. */
  heads(conversationIds: string[]): Promise<ConversationHead[]>;
  /** Returns up to `limit` messages with positions after `after` and up to `upTo`, in their order. */
  messagesBetween(
    conversationId: string,
    positions: { after: number; upTo: number },
    limit: number,
  ): Promise<MessageRow[]>;
  toolCalls(messageIds: number[]): Promise<ToolCallRow[]>;
  /** Returns the states of tool calls without inputs and results, which may be large. */
  toolCallStates(messageIds: number[]): Promise<ToolCallProgress[]>;
  key(agentId: string, keyHash: string): Promise<BoundKey | null>;
  /** Returns the conversation's queue and its active message; null if the conversation was deleted. */
  queue(
    conversationId: string,
    nowMs: number,
  ): Promise<{ activeMessageId: number | null; queued: QueuedRequest[] } | null>;
  /** Returns usage from a day (`YYYY-MM-DD`, UTC) onwards by day, agent and model, newest day first. */
  credits(
    workspaceId: string,
    fromDay: string,
    limit: number,
    agentIds?: AgentFilter,
  ): Promise<CreditCount[]>;
  creditTotals(workspaceId: string, fromDay: string, agentIds?: AgentFilter): Promise<CreditTotals>;
  /**
   * Returns the size of the messages and tool calls of a workspace, or of all workspaces, in UTF-8 bytes. An answer in
   * progress counts when it ends.
   */
  storedBytes(workspaceId: string | null, agentIds?: AgentFilter): Promise<number>;
}

/** Restricts a query to these agents; null or undefined for all agents of the workspace. */
export type AgentFilter = readonly string[] | null;

/**
 * The unit of work of one turn of a conversation: a transaction that locks the conversation's row. A throw rolls it
 * back.
 */
export interface ConversationTurn {
  readonly conversation: ConversationRow;
  change(
    patch: Partial<
      Pick<
        ConversationRow,
        | 'title'
        | 'messages'
        | 'toolRecords'
        | 'updatedAt'
        | 'activeMessageId'
        | 'lastEmptyEnd'
        | 'handover'
        | 'position'
        | 'statePosition'
        | 'unread'
      >
    >,
  ): void;
  agentExists(): Promise<boolean>;
  /** Deletes the conversation with all its data, and stops the answer in progress. */
  delete(nowMs: number): Promise<void>;
  messages: TurnMessages;
  toolCalls: TurnToolCalls;
  queue: TurnQueue;
  keys: TurnKeys;
  /** For conversations of the social channel. */
  channel: ConversationChannel;
  /**
   * Returns the stored numbers of a rate limit's subject: the times of its last messages (Unix milliseconds, oldest
   * first, at most 100), or another number. `owner` defaults to the agent. Locks the row until the turn ends.
   */
  spoken(subject: string, owner?: SubjectOwner): Promise<number[]>;
  /** Replaces the numbers. The row is deleted an hour after `atMs`, which defaults to the last number. */
  writeSpoken(
    subject: string,
    numbers: number[],
    options?: { owner?: SubjectOwner; atMs?: number },
  ): Promise<void>;
  /** Counts a visitor's message for the workspace and the agent when the turn ends. */
  countVisitorMessage(day: string): void;
  /** Adds to the counters of the conversation's workspace and agent when the turn ends. */
  charge(entry: Omit<CreditCount, 'agentId' | 'answers'>): void;
  statistics: TurnStatistics;
  /** Adds the conversation to the counters of an erasure. */
  countErased(erasureId: string): void;
  addContact(contact: ContactRow): Promise<void>;
  /** Returns the visitor's newest contact details with an address and consent. */
  consentedContact(): Promise<ContactRow | null>;
  /** Whether an address wants no e-mails of the workspace; `hash` is an HMAC of it. */
  isStopped(hash: string): Promise<boolean>;
  /** Stores an e-mail to send. */
  addMail(mail: NewMail): Promise<void>;
  /** Stores the response to the request. Throws KeyTaken if its key was used before. */
  keepResponse(response: StoredResponse): Promise<void>;
  /** Creates a delivery of the event for each subscribed webhook of the workspace when the turn ends. */
  announce(event: WebhookEvent): void;
  /**
   * Adds a row to the audit log, if a request makes the change. The states before and after it show what has changed; without
   * them, the log shows what was sent.
   */
  audit(states?: { before: object; after?: object }): void;
}

/** The owner of a rate limit: each agent separately, or the whole workspace. */
export type SubjectOwner = 'agent' | 'workspace';

/** Returns the subject of a user's rate limit. */
export const userSubject = (userId: string): string => `u:${userId}`;

/** Reads that can be sent to the database together with the lock of the conversation. */
export interface ConversationLookup {
  agentExists: ConversationTurn['agentExists'];
  messages: Pick<TurnMessages, 'find' | 'newest'>;
  queue: Pick<TurnQueue, 'queued'>;
}

export interface TurnMessages {
  /** Assigns the id. Does not update counters. */
  insert(row: NewMessage): Promise<number>;
  /** Inserts a user message and its answer in one round trip. Sets the answer's `userMessageId`. */
  insertReply(user: NewMessage, answer: NewMessage): Promise<{ userMessageId: number; messageId: number }>;
  /** Stores the hashes of a message's words for `ConversationReads.search`. Once per message. */
  storeWords(messageId: number, words: Uint32Array): Promise<void>;
  /** Returns the message; also finds drafts. */
  find(messageId: number): Promise<MessageRow | null>;
  tools(messageId: number): Promise<ToolDeclaration[]>;
  /** Returns the newest message of this role that is not a draft, older than `before` if given. */
  newest(role: MessageRole, before?: number): Promise<MessageRow | null>;
  /** Returns the first answer between this message and the user's next one, without drafts. */
  answerTo(userMessageId: number): Promise<MessageRow | null>;
  /** Returns whether a person has written a message after this one. */
  hasAuthorAfter(messageId: number): Promise<boolean>;
  update(messageId: number, patch: Partial<Omit<NewMessage, 'tools'>>): Promise<void>;
  /** Deletes the message with its tool calls. */
  delete(messageId: number): Promise<void>;
  /** Deletes newer messages except drafts. Returns their number, and the answers among them. */
  deleteAfter(
    messageId: number,
  ): Promise<{ messages: number; toolRecords: number; answers: CountedAnswer[] }>;
  /** Turns drafts into messages. Returns how many. */
  promoteDrafts(): Promise<{ messages: number; toolRecords: number }>;
  deleteDrafts(): Promise<void>;
  /** Asks the process that writes the answer to end it. */
  requestStop(messageId: number, nowMs: number): Promise<void>;
  isStopRequested(messageId: number): Promise<boolean>;
  /** Deletes the stop request of an ended answer. */
  forgetStop(messageId: number): Promise<void>;
}

export interface TurnToolCalls {
  find(toolCallId: string): Promise<ToolCallRow | null>;
  ofMessage(messageId: number): Promise<ToolCallRow[]>;
  insert(messageId: number, calls: NewToolCall[]): Promise<void>;
  update(toolCallId: string, patch: Pick<ToolCallRow, 'state' | 'result'>): Promise<void>;
  /** Marks the message's pending calls as superseded. */
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
  /** Binds the key, replacing an earlier binding by the same request. */
  bind(key: Omit<BoundKey, 'conversationId'>): Promise<void>;
}

export interface ConversationTurns {
  /**
   * Runs `turn` in a transaction that locks the conversation's row. The whole turn is retried after contention or a
   * lost connection, so it must have no other effects. Writes are queued fairly by `share`. `look` reads rows under the
   * lock without an additional round trip. Rejects with ConversationGone.
   */
  run<T, L = undefined>(
    conversationId: string,
    turn: (turn: ConversationTurn, found: L) => Promise<T>,
    share?: string,
    look?: (lookup: ConversationLookup) => Promise<L>,
  ): Promise<T>;
  /** Inserts the conversation and runs its first turn. Rejects with AgentGone. */
  begin<T>(
    conversation: ConversationRow,
    turn: (turn: ConversationTurn) => Promise<T>,
    share: string,
  ): Promise<T>;
  /** Runs a turn without a conversation in a transaction, with retries as in `run`. */
  unstored<T>(
    agent: { agentId: string; workspaceId: string },
    turn: (turn: UnstoredTurn) => Promise<T>,
    share: string,
  ): Promise<T>;
}

/** A turn for an answer whose messages are not stored. It changes only counters. */
export type UnstoredTurn = Pick<ConversationTurn, 'agentExists' | 'spoken' | 'writeSpoken' | 'charge'>;

/** A save of an answer in progress. */
export interface AnswerSave {
  messageId: number;
  conversationId: string;
  token: string;
  /** The script so far; null to extend only the lease. */
  script: Script | null;
  /** Calls in the script that were not saved before. */
  toolCalls: NewToolCall[];
  leaseUntilMs: number;
}

/** The side that types. */
export type Typist = 'visitor' | 'human';

export interface ConversationSaves {
  /** Records that a side types, unless that was recorded after `unlessAfterMs`. */
  typing(conversationId: string, from: Typist, nowMs: number, unlessAfterMs: number): Promise<void>;
  /**
   * Saves all in one transaction. Returns the ids of messages that were not written, because another writer holds the
   * lease or the message was deleted.
   */
  save(saves: AnswerSave[]): Promise<number[]>;
  /** Returns the answers of the whole installation that were requested to stop since then. */
  stopRequests(sinceMs: number): Promise<number[]>;
  /** Extends the lease of a queue entry. Returns false if the entry no longer exists. */
  extendWait(ticket: number, untilMs: number): Promise<boolean>;
  leaveQueue(ticket: number): Promise<void>;
}

export interface ConversationSweeps {
  /** Returns answers whose lease has ended. */
  lostAnswers(nowMs: number, limit: number): Promise<{ messageId: number; conversationId: string }[]>;
  /** Returns conversations without messages since then. */
  silentSince(before: number, limit: number): Promise<string[]>;
  /**
   * Returns conversations of anonymous visitors without messages since then. The time counts from the upgrade at the
   * earliest.
   */
  anonymousSince(before: number, limit: number): Promise<string[]>;
  /**
   * Deletes old keys, subjects of rate limits, stop requests, marks of resolved questions, and statistics of days
   * before these, at most `limit` of each. Returns the number of rows.
   */
  forget(
    before: {
      keys: number;
      spokenMs: number;
      stopsMs: number;
      resolved: number;
      countsDay: string;
      visitorsDay: string;
    },
    limit: number,
  ): Promise<number>;
}

export interface Conversations {
  reads: ConversationReads;
  inbox: Inbox;
  statistics: StatisticsReads;
  turns: ConversationTurns;
  saves: ConversationSaves;
  sweeps: ConversationSweeps;
}

/** The conversation does not exist or was deleted. */
export class ConversationGone extends Error {
  constructor(conversationId: string) {
    super(`no conversation ${conversationId}`);
    this.name = 'ConversationGone';
  }
}
