import { ApiError } from '../../errors/api-error.js';
import { seconds } from '../../ports/clock.port.js';
import type { ConversationState } from '../../ports/store/conversations/conversation-rows.js';
import type { ConversationTurn } from '../../ports/store/conversations/conversations.js';
import type { StoredResponse } from '../../ports/store/stored-responses.js';
import { countInHour, takeInHour } from '../hourly-limit.js';
import { answeredByAgent, handoverAt, reopen } from './state.js';
import { changeState, requestPerson } from './transitions.js';

/** Prefixes of subjects of limits: a visitor, and an address. */
const VISITOR = 'hv:';
const ADDRESS = 'ha:';
/** Accepted requests within an hour. */
const OF_VISITOR = 3;
const OF_ADDRESS = 20;
const TOO_MANY = 'A person was asked for too often in the last hour. Try again later.';

export interface Call {
  /** The visitor. */
  userId: string;
  /** HMAC of the visitor's address. */
  addressKey: string;
  /** `cancel`: takes an earlier request back. */
  asks: { reason: string | null; isAccepted: boolean } | 'cancel';
  /** Returns the response to store for repetitions of the request; undefined without a key. */
  responseOf(state: ConversationState): StoredResponse | undefined;
}

/**
 * Asks for a person, or takes that back. Returns the state after it: `agent` if the request was not accepted, which also
 * reopens a closed conversation. Throws 503 above the limits.
 */
export async function callPerson(
  turn: ConversationTurn,
  { asks, responseOf, ...caller }: Call,
  nowMs: number,
): Promise<ConversationState> {
  const state = asks === 'cancel' ? cancel(turn, nowMs) : await ask(turn, { ...caller, ...asks }, nowMs);
  const response = responseOf(state);
  if (response) await turn.keepResponse(response);
  return state;
}

function cancel(turn: ConversationTurn, nowMs: number): ConversationState {
  const before = currentOf(turn, nowMs);
  if (before.state !== 'requested') return before.state;
  changeState(turn, { before, next: answeredByAgent(seconds(nowMs)), end: 'cancelled' }, nowMs);
  return 'agent';
}

async function ask(
  turn: ConversationTurn,
  {
    userId,
    addressKey,
    reason,
    isAccepted,
  }: Omit<Call, 'asks' | 'responseOf'> & Exclude<Call['asks'], 'cancel'>,
  nowMs: number,
): Promise<ConversationState> {
  const { state } = currentOf(turn, nowMs);
  if (state === 'requested' || state === 'human') return state;
  if (!isAccepted) {
    reopen(turn, nowMs);
    return 'agent';
  }
  // In this order in every turn, because the reads lock the rows.
  await countInHour(turn, { ...limitOf(userId), message: TOO_MANY }, nowMs);
  await countInHour(turn, { subject: ADDRESS + addressKey, most: OF_ADDRESS, message: TOO_MANY }, nowMs);
  requestPerson(turn, reason, nowMs);
  return 'requested';
}

const limitOf = (userId: string) => ({ subject: VISITOR + userId, most: OF_VISITOR });

/**
 * Asks for a person because of a message on a social platform, whose visitors have no address. Returns whether a person is
 * asked: not above the limit of the visitor.
 */
export async function callFromMessage(turn: ConversationTurn, nowMs: number): Promise<boolean> {
  const { handover, userId } = turn.conversation;
  if (handover?.state === 'requested') return true;
  if (userId === null || (await takeInHour(turn, limitOf(userId), nowMs)) !== null) return false;
  requestPerson(turn, null, nowMs);
  return true;
}

function currentOf({ conversation: { handover } }: ConversationTurn, nowMs: number) {
  if (handover === null) throw new ApiError('RESOURCE_NOT_FOUND');
  return handoverAt(handover, nowMs);
}
