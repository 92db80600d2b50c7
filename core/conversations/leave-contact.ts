import { v7 as uuidv7 } from 'uuid';
import { ApiError } from '../errors/api-error.js';
import { seconds } from '../ports/clock.port.js';
import type { ContactRow } from '../ports/store/conversations/contacts.js';
import type { ConversationTurn } from '../ports/store/conversations/conversations.js';
import type { StoredResponse } from '../ports/store/stored-responses.js';
import { dayOf } from '../visitors/limits.js';
import { speak } from './speaking-rate.js';

/** Prefixes of subjects of limits: a visitor, and an address. */
const VISITOR = 'cv:';
const ADDRESS = 'ca:';
const HOUR_S = 3600;
/** Contacts within an hour. */
const OF_VISITOR = 5;
const OF_ADDRESS = 20;

export type ContactDetails = Pick<ContactRow, 'name' | 'email' | 'phone' | 'message' | 'consent'>;

export interface LeftContact extends ContactDetails {
  /** The visitor. */
  userId: string;
  /** HMAC of the visitor's address. */
  addressKey: string;
  /** Returns the response to store for repetitions of the request; undefined without a key. */
  responseOf: (id: string) => StoredResponse | undefined;
}

/** Stores contact details in the turn of their conversation. Returns their id. Throws 503 above the limits. */
export async function leaveContact(
  turn: ConversationTurn,
  { userId, addressKey, responseOf, ...details }: LeftContact,
  nowMs: number,
): Promise<string> {
  const { id: conversationId, agentId, workspaceId } = turn.conversation;
  // In this order in every turn, because the reads lock the rows.
  await countContact(turn, VISITOR + userId, OF_VISITOR, nowMs);
  await countContact(turn, ADDRESS + addressKey, OF_ADDRESS, nowMs);
  const id = uuidv7({ msecs: nowMs });
  const createdAt = seconds(nowMs);
  await turn.addContact({ id, agentId, workspaceId, conversationId, userId, ...details, createdAt });
  turn.statistics.count(dayOf(nowMs), 'contacts', 1);
  turn.announce({
    type: 'contact.created',
    at: createdAt,
    data: { agentId, conversationId, contactId: id },
  });
  const response = responseOf(id);
  if (response) await turn.keepResponse(response);
  return id;
}

async function countContact(
  turn: ConversationTurn,
  subject: string,
  maxMessages: number,
  nowMs: number,
): Promise<void> {
  const limit = { maxMessages, windowSeconds: HOUR_S, limitMessage: '' };
  const spoken = speak(await turn.spoken(subject), nowMs, limit);
  if ('timesMs' in spoken) return turn.writeSpoken(subject, spoken.timesMs);
  throw new ApiError('INTERNAL_SERVER_ERROR', {
    status: 503,
    message: 'Too many contact details were sent in the last hour. Nothing was stored; try again later.',
    headers: { 'retry-after': String(spoken.retryAfterSeconds) },
  });
}
