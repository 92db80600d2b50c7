import type { PageRequest } from '../pages.js';

/** Contact details that a visitor has left. */
export interface ContactRow {
  id: string;
  agentId: string;
  workspaceId: string;
  /** Null once the conversation is deleted. */
  conversationId: string | null;
  /** The visitor. */
  userId: string;
  name: string | null;
  email: string | null;
  phone: string | null;
  message: string | null;
  /** Text of the consent to which the visitor agreed; null if the form had none. */
  consent: string | null;
  /** Origin of the visitor's page as the visitor has named it; null if it is unknown. */
  origin: string | null;
  /** Widget locale that the visitor's browser prefers; null if it is unknown. */
  language: string | null;
  /** Unix seconds. */
  createdAt: number;
}

export interface Contacts {
  /** Newest first, with one more than the limit if there are more. */
  page(agentId: string, request: PageRequest): Promise<ContactRow[]>;
  count(agentId: string): Promise<number>;
  find(agentId: string, contactId: string): Promise<ContactRow | null>;
  /** Deletes a contact, with a row of the audit log. Returns whether it existed. */
  remove(agentId: string, contactId: string): Promise<boolean>;
  /** Deletes some contacts from before this second. Returns whether there may be more. */
  forget(before: number): Promise<boolean>;
}
