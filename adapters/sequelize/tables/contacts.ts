import { foldedEmail } from '../../../core/people/email.js';
import type { ContactRow } from '../../../core/ports/store/conversations/contacts.js';
import type { Row } from '../database/connection.js';
import { bigint, long, orNull, primary, text, uuid } from './column.js';
import { table } from './table.js';

export const contacts = table('contacts', {
  id: primary(uuid),
  agentId: uuid,
  workspaceId: uuid,
  conversationId: orNull(uuid),
  userId: text(),
  name: orNull(text()),
  email: orNull(text()),
  emailFolded: orNull(text()),
  phone: orNull(text()),
  message: orNull(long),
  consent: orNull(text()),
  origin: orNull(text()),
  language: orNull(text()),
  createdAt: bigint,
});

export const contactColumns = (contact: ContactRow): Record<string, unknown> =>
  contacts.encode({ ...contact, emailFolded: contact.email && foldedEmail(contact.email) });

export function contactOf(row: Row): ContactRow {
  const { emailFolded: _, ...contact } = contacts.decode(row);
  return contact;
}
