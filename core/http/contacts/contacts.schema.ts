import { Type } from '@sinclair/typebox';
import { limits } from '../../schemas/limits.js';
import { deleted, listOf, nullable, pageQuery, unixSeconds, uuid } from '../../schemas/shapes.js';

const { name, email, phone, message } = limits.contacts;

const sent = (maxLength: number, keywords: object = {}) =>
  Type.Optional(nullable(Type.String({ trim: true, maxLength, noControl: 'all', ...keywords })));

export const leaveContactBody = Type.Object(
  {
    name: sent(name),
    email: sent(email, { examples: ['ada@acme.com'] }),
    phone: sent(phone, { examples: ['+49 89 1234'] }),
    message: sent(message, { noControl: 'butLines' }),
    consent: Type.Optional(Type.Boolean({ description: 'Required if the form has a text of consent' })),
  },
  { $id: 'LeaveContactBody' },
);

export const leftContact = Type.Object({ id: uuid('Contact id') }, { $id: 'LeftContact' });

const textOrNull = (description?: string) =>
  nullable(Type.String(description === undefined ? {} : { description }));

export const contactSchema = Type.Object(
  {
    id: uuid('Contact id'),
    conversationId: nullable(uuid('Conversation; null once it is deleted')),
    name: textOrNull(),
    email: textOrNull('Not verified'),
    phone: textOrNull(),
    message: textOrNull(),
    consent: textOrNull('Text to which the visitor agreed; null if the form had none'),
    createdAt: unixSeconds('When the details were sent'),
  },
  { $id: 'Contact' },
);

export const contactListSchema = listOf(contactSchema, 'ContactList');
export const listContactsQuery = Type.Object(pageQuery, { $id: 'ListContactsQuery' });
export const deletedContact = deleted;
