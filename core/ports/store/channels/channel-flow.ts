import type { ChannelEvent } from '../../channel.port.js';
import type { PageRequest } from '../pages.js';
import type { ConnectionRow, SyncError } from './channels.js';

/*
 * Events of the social channel and messages to it: their rows are the queues. Instants named `…At` are Unix seconds,
 * `…AtMs` and `…UntilMs` milliseconds. A row in work is due again when its lease ends, and its number of attempts is the
 * fencing token.
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
  /** Events of a lane are handled one claim at a time, in order. */
  lane: string;
  personId: string;
  kind: ChannelEvent['kind'];
  at: number;
  body: ChannelEvent;
  status: EventStatus;
  reason: EventReason | null;
  attempts: number;
  /** Attempts that count, and when the first of them began. */
  tries: number;
  firstTryAtMs: number | null;
  receivedAtMs: number;
  dueAtMs: number;
  conversationId: string | null;
  /** The stored message; null before. */
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
  /** End of the time in which messages may be sent to the person; 0 if the person has never written. */
  windowUntilMs: number;
  /** The agent does not answer before; 0 if it does. */
  pausedUntilMs: number;
  /** The person was told about the rate limit of this window. */
  limitToldUntilMs: number;
  /** Day (`YYYY-MM-DD`, UTC) of the last notice to the person about the used daily budget. */
  quotaToldOn: string | null;
}

/** A thread as a turn reads it. */
export interface Thread extends ThreadRow {
  /** False if the agent has another account by now, or none: messages to the person cannot be sent. */
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
  /** `deleted`: its conversation was deleted. Only what identifies its echo is kept. */
  status: OutgoingStatus | 'deleted';
  /** Cancelled while it was being sent: it is not sent again. */
  isCancelled: boolean;
  attempts: number;
  error: SyncError | null;
  /** The message of the conversation that it is a part of. */
  messageId: number | null;
  /** Hash of the platform's id. */
  upstreamHash: string | null;
  /** Of a request that may be repeated; unique for the agent. */
  onceKey: string | null;
  createdAt: number;
  sentAt: number | null;
  endedAt: number | null;
  dueAtMs: number;
  /** When the current attempt began. */
  beganAtMs: number | null;
  expiresAtMs: number;
}

/** The person to whom an automation writes, once for each post or story. */
export interface Recipient {
  /** Hash of person and target, unique for the agent. */
  targetKey: string;
  personId: string;
}

/** What the platform has told about a sent message, and where its text is stored. */
export interface Sent {
  upstreamHash: string;
  personId: string;
  /** Null keeps the ones of the row. */
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
  /** Ends the open events that are stored in the conversation. */
  endStored(end: { status: EventStatus; reason: EventReason | null; now: number }): Promise<void>;
  thread(): Promise<Thread | null>;
  /** A later window also applies to waiting messages. */
  changeThread(
    patch: Partial<Pick<ThreadRow, 'windowUntilMs' | 'pausedUntilMs' | 'limitToldUntilMs' | 'quotaToldOn'>>,
  ): Promise<void>;
  queue(rows: OutgoingRow[]): Promise<void>;
  /** Returns false if the agent has a row with this `onceKey`. */
  queueOnce(row: OutgoingRow): Promise<boolean>;
  /** Returns false if the recipient has had a message for this target, or will have one. */
  queueFor(row: OutgoingRow, recipient: Recipient): Promise<boolean>;
  /** Records that a message of this conversation was sent. Returns false if that is known. */
  settleSent(row: Pick<OutgoingRow, 'id'>, sent: Omit<Sent, 'conversationId'>): Promise<boolean>;
  /** Cancels messages of the agent that wait, and those being sent unless this attempt succeeds; not those of humans. */
  cancelOfAgent(now: number): Promise<void>;
}

export interface ChannelFlow {
  /** Returns the connected agents of these accounts. */
  agentsOf(accountIds: string[]): Promise<Map<string, string>>;
  /** Returns the number of open events by account. */
  waiting(): Promise<Map<string, number>>;
  /** Returns when the oldest open event was received; null without any. */
  oldestWaiting(): Promise<number | null>;
  /** Inserts events. Events with a known key are ignored. Returns how many were new. */
  accept(rows: EventRow[]): Promise<number>;
  /**
   * Claims due lanes, at most `perAccount` of an account and `limit` in all. Workspaces with due lanes get equal shares,
   * their accounts take turns.
   */
  claim(
    nowMs: number,
    options: {
      leaseUntilMs: number;
      gatherMs: number;
      /** Attempts that died longer ago than this do not count. */
      triesMs: number;
      perAccount: number;
      limit: number;
    },
  ): Promise<Claim[]>;
  extend(claim: Claim, untilMs: number): Promise<void>;
  /** Makes the events due again. `counts`: the attempt counts as a try; otherwise, counting restarts. */
  putOff(claim: Claim, options: { dueAtMs: number; nowMs: number; counts: boolean }): Promise<void>;
  /** Ends events of a claim that it still has. */
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
  /** Ends open events and waiting messages of accounts that are no longer connected, if older than this. */
  endOrphans(beforeMs: number, now: number): Promise<void>;

  /** Returns the stored thread, or inserts this one. */
  ensureThread(row: ThreadRow): Promise<ThreadRow>;

  /** Claims due messages, in order within a conversation and within the pace of their accounts. */
  claimOutgoing(
    nowMs: number,
    options: { leaseUntilMs: number; limit: number },
  ): Promise<{ row: OutgoingRow; connection: ConnectionRow }[]>;
  /** Claims messages whose attempt ended unclearly. */
  claimUnclear(
    nowMs: number,
    options: { leaseUntilMs: number; limit: number },
  ): Promise<{ row: OutgoingRow; connection: ConnectionRow | null }[]>;
  /** Stores the error of a message that is being sent by this attempt, and when to look at its outcome. */
  postpone(
    row: Pick<OutgoingRow, 'id' | 'attempts'>,
    next: Pick<OutgoingRow, 'dueAtMs' | 'error'>,
  ): Promise<void>;
  /**
   * Ends a message that is being sent by this attempt. Unless it may have arrived (`unconfirmed`), the later parts of
   * the same answer are cancelled in the same transaction. Returns false if another attempt has it.
   */
  endOutgoing(
    row: Pick<OutgoingRow, 'id' | 'attempts' | 'conversationId' | 'messageId'>,
    end: { status: 'failed' | 'expired' | 'unconfirmed'; error: SyncError | null; now: number },
  ): Promise<boolean>;
  /** Records that a message was sent, also if its attempt was given up. Returns false if that is known. */
  settleSent(row: Pick<OutgoingRow, 'id'>, sent: Sent): Promise<boolean>;
  /** Makes a message due again, or cancels it if that was asked for. Returns its status; null if it has another attempt. */
  again(
    row: Pick<OutgoingRow, 'id' | 'attempts'>,
    next: { dueAtMs: number; error: SyncError | null; now: number },
  ): Promise<OutgoingRow['status'] | null>;
  /** Lets an account rest after a refusal: twice as long as before, or `restMs`. Returns until when. */
  rest(agentId: string, nowMs: number, restMs: number | null): Promise<number>;
  /** An attempt has succeeded: the next rest is short. */
  endRest(agentId: string): Promise<void>;
  outgoing(agentId: string, id: string): Promise<OutgoingRow | null>;
  outgoingOnce(agentId: string, onceKey: string): Promise<OutgoingRow | null>;
  knowsUpstream(agentId: string, upstreamHash: string): Promise<boolean>;
  isSendingTo(agentId: string, person: Pick<ThreadRow, 'accountId' | 'personId'>): Promise<boolean>;
  /** Newest first, up to `limit` + 1. */
  outgoingPage(agentId: string, page: PageRequest, status: OutgoingStatus | null): Promise<OutgoingRow[]>;
  countOutgoing(agentId: string, status: OutgoingStatus | null): Promise<number>;

  /** Deletes ended events and messages, up to `limit` of each. Returns how many. */
  forget(before: { events: number; messages: number }, limit: number): Promise<number>;
}
