import { v7 as uuidv7 } from 'uuid';
import { seconds } from '../ports/clock.port.js';
import type { ContactRow } from '../ports/store/conversations/contacts.js';
import type { ConversationTurn } from '../ports/store/conversations/conversations.js';
import type { StoredResponse } from '../ports/store/stored-responses.js';
import { dayOf } from '../visitors/limits.js';
import { countInHour } from './hourly-limit.js';

/** Prefixes of subjects of limits: a visitor, and an address. */
const VISITOR = 'cv:';
const ADDRESS = 'ca:';
/** Contacts within an hour. */
const OF_VISITOR = 5;
const OF_ADDRESS = 20;
const TOO_MANY = 'Too many contact details were sent in the last hour. Nothing was stored; try again later.';

export type ContactDetails = Pick<ContactRow, 'name' | 'email' | 'phone' | 'message' | 'consent'>;

export interface LeftContact extends ContactDetails, Pick<ContactRow, 'origin' | 'language'> {
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
  await countInHour(turn, { subject: VISITOR + userId, most: OF_VISITOR, message: TOO_MANY }, nowMs);
  await countInHour(turn, { subject: ADDRESS + addressKey, most: OF_ADDRESS, message: TOO_MANY }, nowMs);
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
