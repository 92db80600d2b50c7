import { v7 as uuidv7 } from 'uuid';
import type { ChannelEvent } from '../ports/channel.port.js';
import type { EventRow } from '../ports/store/channels/channel-flow.js';

const laneOf = ({ kind, personId }: ChannelEvent): string =>
  `${kind === 'tap' ? 'message' : kind}:${personId}`;

/** Creates the row of an event that is due at once. */
export const newEvent = (event: ChannelEvent, agentId: string, nowMs: number): EventRow => ({
  id: uuidv7(),
  agentId,
  accountId: event.accountId,
  eventKey: event.key,
  lane: laneOf(event),
  personId: event.personId,
  kind: event.kind,
  at: event.at,
  body: event,
  status: 'pending',
  reason: null,
  attempts: 0,
  tries: 0,
  firstTryAtMs: null,
  receivedAtMs: nowMs,
  dueAtMs: nowMs,
  conversationId: null,
  userMessageId: null,
  endedAt: null,
});
