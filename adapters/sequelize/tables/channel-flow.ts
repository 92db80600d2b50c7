import type { ChannelEvent } from '../../../core/ports/channel.port.js';
import type {
  EventReason,
  EventRow,
  EventStatus,
  OutgoingKind,
  OutgoingRow,
  ThreadRow,
} from '../../../core/ports/store/channels/channel-flow.js';
import type { SyncError } from '../../../core/ports/store/channels/channels.js';
import type { Row } from '../database/connection.js';
import { bigint, flag, integer, json, long, orNull, primary, text, uuid } from './column.js';
import { table } from './table.js';

export const channelEvents = table('channel_events', {
  id: primary(uuid),
  agentId: uuid,
  accountId: text(),
  eventKey: text(),
  lane: text(),
  personId: text(),
  kind: text<ChannelEvent['kind']>(),
  at: bigint,
  body: json<ChannelEvent>(),
  status: text<EventStatus>(),
  reason: orNull(text<EventReason>()),
  attempts: integer,
  tries: integer,
  firstTryAtMs: orNull(bigint),
  receivedAtMs: bigint,
  dueAtMs: bigint,
  conversationId: orNull(uuid),
  userMessageId: orNull(bigint),
  endedAt: orNull(bigint),
});

export const eventOf = (row: Row): EventRow => channelEvents.decode(row);

export const channelThreads = table('channel_threads', {
  agentId: uuid,
  accountId: text(),
  personId: text(),
  conversationId: uuid,
  windowUntilMs: bigint,
  limitToldUntilMs: bigint,
  quotaToldOn: orNull(text()),
});

export const threadOf = (row: Row): ThreadRow => channelThreads.decode(row);

/** The person to whom the message of an automation for a post or story was sent or queued. */
export const channelRecipients = table('channel_recipients', {
  agentId: uuid,
  targetKey: text(),
  accountId: text(),
  personId: text(),
  deliveryId: uuid,
});

export const outgoing = table('channel_messages', {
  id: primary(uuid),
  agentId: uuid,
  accountId: text(),
  conversationId: orNull(uuid),
  personId: orNull(text()),
  commentId: orNull(text()),
  kind: text<OutgoingKind>(),
  text: long,
  status: text<OutgoingRow['status']>(),
  isCancelled: flag,
  attempts: integer,
  error: orNull(json<SyncError>()),
  messageId: orNull(bigint),
  upstreamHash: orNull(text()),
  onceKey: orNull(text()),
  createdAt: bigint,
  sentAt: orNull(bigint),
  endedAt: orNull(bigint),
  dueAtMs: bigint,
  beganAtMs: orNull(bigint),
  expiresAtMs: bigint,
});

export const outgoingOf = (row: Row): OutgoingRow => outgoing.decode(row);
