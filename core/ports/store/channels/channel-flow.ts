import type { ChannelEvent } from '../../channel.port.js';
import type { PageRequest } from '../pages.js';
import type { ConnectionRow, SyncError } from './channels.js';

/*
 * Events from the social channel and messages to it. The rows are the queues: a row in progress becomes due again when
 * its lease ends, and its number of attempts is the fencing token. Instants named `…At` are Unix seconds, `…AtMs` and
 * `…UntilMs` milliseconds.
 */

export type EventStatus = 'pending' | 'running' | 'done' | 'skipped' | 'failed';
export type EventReason =
  | 'NOT_CONNECTED'
  | 'STALE'
  | 'PAUSED'
  | 'QUOTA'
  | 'RATE_LIMITED'
  | 'UNMATCHED'
  | 'AUTOMATION'
  | 'UNAVAILABLE';

export interface EventRow {
  id: string;
  agentId: string;
  accountId: string;
  eventKey: string;
  /** Events of a lane are handled in order, one claim at a time. */
  lane: string;
  personId: string;
  kind: ChannelEvent['kind'];
  at: number;
  body: ChannelEvent;
  status: EventStatus;
  reason: EventReason | null;
  attempts: number;
  /** Number of attempts that count, and the start of the first one. */
  tries: number;
  firstTryAtMs: number | null;
  receivedAtMs: number;
  dueAtMs: number;
  conversationId: string | null;
  /** The stored message; null before the event is stored. */
  userMessageId: number | null;
  endedAt: number | null;
}

/** All due events of a lane, in order, for one attempt. */
export interface Claim {
  connection: ConnectionRow;
  lane: string;
  attempt: number;
  events: EventRow[];
}

export interface ThreadRow {
  agentId: string;
  accountId: string;
  personId: string;
  conversationId: string;
  /** End of the period in which messages may be sent to the person; 0 if the person has never written. */
  windowUntilMs: number;
  /** End of the rate limit window for which the person has received a notice. */
  limitToldUntilMs: number;
  /** Day (`YYYY-MM-DD`, UTC) of the last message to the person about the used-up daily budget. */
  quotaToldOn: string | null;
}

/** A thread as read in a turn. */
export interface Thread extends ThreadRow {
  /** False if the agent now has another account, or none. Then no messages can be sent to the person. */
  isConnected: boolean;
}

export const outgoingStatuses = [
  'waiting',
  'sending',
  'sent',
  'failed',
  'expired',
  'cancelled',
  'unconfirmed',
] as const;
export type OutgoingStatus = (typeof outgoingStatuses)[number];
export const outgoingKinds = ['answer', 'automation', 'human'] as const;
export type OutgoingKind = (typeof outgoingKinds)[number];

/** A message to a person. */
export interface OutgoingRow {
  id: string;
  agentId: string;
  accountId: string;
  /** Null for a private reply until the platform names the person. */
  conversationId: string | null;
  personId: string | null;
  /** Set for a private reply. */
  commentId: string | null;
  kind: OutgoingKind;
  text: string;
  /** `deleted`: the conversation was deleted. Only the fields that identify the message's echo are kept. */
  status: OutgoingStatus | 'deleted';
  /** The message was cancelled while an attempt to send it was in progress. There will be no other attempt. */
  isCancelled: boolean;
  attempts: number;
  error: SyncError | null;
  /** The message of the conversation to which this part belongs. */
  messageId: number | null;
  /** Hash of the platform's message id. */
  upstreamHash: string | null;
  /** Idempotency key of the request; unique for the agent. */
  onceKey: string | null;
  createdAt: number;
  sentAt: number | null;
  endedAt: number | null;
  dueAtMs: number;
  /** Start of the current attempt. */
  beganAtMs: number | null;
  expiresAtMs: number;
}

/** A person to whom an automation writes, once per post or story. */
export interface Recipient {
  /** Hash of person and target, unique for the agent. */
  targetKey: string;
  personId: string;
}

/** The platform's data on a sent message, and where its text is stored. */
export interface Sent {
  upstreamHash: string;
  personId: string;
  /** Null keeps the conversation of the row. */
  conversationId: string | null;
  messageId: number | null;
  now: number;
}

/** The channel in a turn of a conversation. */
export interface ConversationChannel {
  /** Locks the events of an attempt. Returns the events that the attempt still owns. */
  claimed(ids: string[], attempt: number): Promise<EventRow[]>;
  /** Records that an event is stored as this message of the conversation. */
  stored(eventId: string, userMessageId: number): Promise<void>;
  endEvents(
    ids: string[],
    end: { status: EventStatus; reason: EventReason | null; now: number },
  ): Promise<void>;
  /** Ends the open events that are already stored as messages of the conversation. */
  endStored(end: { status: EventStatus; reason: EventReason | null; now: number }): Promise<void>;
  thread(): Promise<Thread | null>;
  /** Changes the thread. If its window is extended, so is that of waiting messages. */
  changeThread(
    patch: Partial<Pick<ThreadRow, 'windowUntilMs' | 'limitToldUntilMs' | 'quotaToldOn'>>,
  ): Promise<void>;
  queue(rows: OutgoingRow[]): Promise<void>;
  /** Returns false if the agent has a row with this `onceKey`. */
  queueOnce(row: OutgoingRow): Promise<boolean>;
  /** Returns false if a message to this recipient for this target was already sent or is queued. */
  queueFor(row: OutgoingRow, recipient: Recipient): Promise<boolean>;
  /** Records that a message of this conversation was sent. Returns false if this is already recorded. */
  settleSent(row: Pick<OutgoingRow, 'id'>, sent: Omit<Sent, 'conversationId'>): Promise<boolean>;
  /**
   * Cancels the agent's waiting messages, and those being sent if their attempt fails. Does not cancel messages written
   * by humans.
   */
  cancelOfAgent(now: number): Promise<void>;
}

export interface ChannelFlow {
  /** Returns the agents that are connected to these accounts, by account. */
  agentsOf(accountIds: string[]): Promise<Map<string, string>>;
  /** Returns the number of open events by account. */
  waiting(): Promise<Map<string, number>>;
  /** Returns when the oldest open event was received; null without any. */
  oldestWaiting(): Promise<number | null>;
  /** Inserts events. Events with a known key are ignored. Returns how many were new. */
  accept(rows: EventRow[]): Promise<number>;
  /**
   * Claims due lanes, at most `perAccount` per account and `limit` in all. Workspaces with due lanes get equal shares;
   * the accounts of a workspace are served round-robin.
   */
  claim(
    nowMs: number,
    options: {
      leaseUntilMs: number;
      gatherMs: number;
      /** An attempt that died longer ago than this does not count as a try. Milliseconds. */
      triesMs: number;
      perAccount: number;
      limit: number;
    },
  ): Promise<Claim[]>;
  extend(claim: Claim, untilMs: number): Promise<void>;
  /**
   * Makes the events of a claim due again. With `counts`, the attempt counts as a try; otherwise the count restarts.
   */
  putOff(claim: Claim, options: { dueAtMs: number; nowMs: number; counts: boolean }): Promise<void>;
  /** Ends those events that the claim still holds. */
  end(
    claim: Claim,
    ids: string[],
    end: { status: EventStatus; reason: EventReason | null; now: number },
  ): Promise<void>;
  /** Ends the event of a comment, and queues the private reply to it unless its recipient has had one. */
  endComment(
    claim: Claim,
    eventId: string,
    reply: { row: OutgoingRow; recipient: Recipient } | null,
    now: number,
  ): Promise<void>;
  /** Ends open events and waiting messages of disconnected accounts if they are older than this. */
  endOrphans(beforeMs: number, now: number): Promise<void>;

  /** Returns the stored thread, or inserts this one. */
  ensureThread(row: ThreadRow): Promise<ThreadRow>;

  /** Claims due messages within the rate limits of their accounts, in order within a conversation. */
  claimOutgoing(
    nowMs: number,
    options: { leaseUntilMs: number; limit: number },
  ): Promise<{ row: OutgoingRow; connection: ConnectionRow }[]>;
  /** Claims messages whose last attempt had no clear outcome. */
  claimUnclear(
    nowMs: number,
    options: { leaseUntilMs: number; limit: number },
  ): Promise<{ row: OutgoingRow; connection: ConnectionRow | null }[]>;
  /** Stores the error of this attempt to send a message, and when to check the outcome. */
  postpone(
    row: Pick<OutgoingRow, 'id' | 'attempts'>,
    next: Pick<OutgoingRow, 'dueAtMs' | 'error'>,
  ): Promise<void>;
  /**
   * Ends a message that this attempt is sending. Cancels the later parts of the same answer in the same transaction,
   * unless the message may have arrived (`unconfirmed`). Returns false if another attempt holds the message.
   */
  endOutgoing(
    row: Pick<OutgoingRow, 'id' | 'attempts' | 'conversationId' | 'messageId'>,
    end: { status: 'failed' | 'expired' | 'unconfirmed'; error: SyncError | null; now: number },
  ): Promise<boolean>;
  /** Records that a message was sent, even if its attempt was given up. Returns false if this is already recorded. */
  settleSent(row: Pick<OutgoingRow, 'id'>, sent: Sent): Promise<boolean>;
  /**
   * Makes a message due again, or cancels it if that was requested. Returns its new status; null if another attempt
   * holds it.
   */
  again(
    row: Pick<OutgoingRow, 'id' | 'attempts'>,
    next: { dueAtMs: number; error: SyncError | null; now: number },
  ): Promise<OutgoingRow['status'] | null>;
  /**
   * Stops sending from an account after a refusal, for `restMs` or twice as long as last time. Returns the end of the
   * rest.
   */
  rest(agentId: string, nowMs: number, restMs: number | null): Promise<number>;
  /** Records a successful attempt, so that the next rest is short again. */
  endRest(agentId: string): Promise<void>;
  outgoing(agentId: string, id: string): Promise<OutgoingRow | null>;
  /** Returns the id of the delivery of a message of the conversation. */
  deliveryOf(conversationId: string, messageId: number): Promise<string | null>;
  outgoingOnce(agentId: string, onceKey: string): Promise<OutgoingRow | null>;
  knowsUpstream(agentId: string, upstreamHash: string): Promise<boolean>;
  isSendingTo(agentId: string, person: Pick<ThreadRow, 'accountId' | 'personId'>): Promise<boolean>;
  /** Returns up to `limit` + 1 messages, newest first. */
  outgoingPage(agentId: string, page: PageRequest, status: OutgoingStatus | null): Promise<OutgoingRow[]>;
  countOutgoing(agentId: string, status: OutgoingStatus | null): Promise<number>;

  /** Deletes up to `limit` ended events and `limit` ended messages. Returns how many rows were deleted. */
  forget(before: { events: number; messages: number }, limit: number): Promise<number>;
}
