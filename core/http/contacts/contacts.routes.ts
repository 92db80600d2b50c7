import { handoverSettings } from '../../agent-settings/handover-settings.js';
import { ApiError, existing } from '../../errors/api-error.js';
import { seconds } from '../../ports/clock.port.js';
import type { ContactRow, Contacts } from '../../ports/store/conversations/contacts.js';
import { MOST_COUNTED } from '../../ports/store/pages.js';
import { askerOf } from '../conversations/answers.js';
import { conversationIdOf } from '../conversations/conversation-id.js';
import { storedResponse } from '../pipeline/idempotency.js';
import { uuidIn } from '../pipeline/uuid-in.js';
import { created, ok, type Route, route } from '../route.js';
import { contactDetails } from './contact-details.js';
import {
  contactListSchema,
  contactSchema,
  deletedContact,
  leaveContactBody,
  leftContact,
  listContactsQuery,
} from './contacts.schema.js';
import { csvHeader, csvLine } from './contacts-csv.js';

const CSV = 'text/csv';
/** Rows per read of a CSV file. */
const PIECE = 500;
/** Characters; a longer origin has no valid host name. */
const LONGEST_ORIGIN = 300;

const contactIdOf = uuidIn('contactId');

const presentContact = (contact: ContactRow) => {
  const { agentId: _, workspaceId: __, userId: ___, origin: ____, language: _____, ...shown } = contact;
  return shown;
};

/** Returns all contacts of an agent as CSV. Calls `reserve` with the bytes so far. */
async function csvOf(contacts: Contacts, agentId: string, reserve: (bytes: number) => void): Promise<Buffer> {
  const lines = [csvHeader];
  let bytes = 0;
  for (let before: string | null = null; ; ) {
    const rows: ContactRow[] = await contacts.page(agentId, { limit: PIECE, before });
    for (const row of rows.slice(0, PIECE)) {
      const line = csvLine(row);
      bytes += Buffer.byteLength(line);
      lines.push(line);
    }
    reserve(2 * bytes);
    if (rows.length <= PIECE) return Buffer.from(lines.join(''));
    before = rows[PIECE - 1]?.id ?? null;
  }
}

const all = { path: '/agents/:agentId/contacts', extension: true, scope: 'agent' } as const;
const one = { ...all, path: '/agents/:agentId/contacts/:contactId', params: contactIdOf } as const;

export const contactRoutes: Route[] = [
  route({
    id: 'leaveContact',
    method: 'POST',
    path: '/agents/:agentId/conversations/:conversationId/contact',
    extension: true,
    scope: 'agentSettings',
    permission: 'chat',
    summary: "Send a visitor's contact details",
    description:
      "For visitors only. The fields are those of `form` in the agent's handover settings; others are ignored. A visitor may send 5 in an hour, and an address 20; further requests get 503 with `retry-after`.",
    params: conversationIdOf,
    body: leaveContactBody,
    idempotent: 'withIt',
    responses: { 201: leftContact },
    refusals: ['RESOURCE_NOT_FOUND', 'VALIDATION_INVALID_BODY', 'AUTH_INSUFFICIENT_PERMISSIONS'],
    visitors: true,
    async handle({ params, body, ...request }, services) {
      const { visitor, viewer, share, requestLanguage = null } = askerOf(services, request);
      if (visitor === null || viewer.userId === null)
        throw new ApiError('AUTH_INSUFFICIENT_PERMISSIONS', {
          message: "Only visitors send contact details. Use the visitor's token.",
        });
      const { conversations, clock } = services;
      const { userId } = viewer;
      const id = conversationIdOf(params);
      const conversation = await conversations.known(request.agent.id, id, viewer);
      const details = contactDetails(handoverSettings(request.settings).form, body);
      const responseOf = (contactId: string) =>
        storedResponse(request.idempotency, created({ id: contactId }), seconds(clock.now()));
      const origin = request.caller.visitor?.origin ?? null;
      const contact = {
        ...details,
        userId,
        addressKey: visitor.address.key,
        origin: origin !== null && origin.length <= LONGEST_ORIGIN ? origin : null,
        language: requestLanguage,
        responseOf,
      };
      return created({ id: await conversations.leaveContact(conversation, contact, share) });
    },
  }),
  route({
    ...all,
    id: 'listContacts',
    method: 'GET',
    permission: 'contacts.view',
    summary: 'List the contact details that visitors have sent, newest first',
    description: `\`total\` stops at ${MOST_COUNTED}. With \`accept: text/csv\`, the response is a file with all of them; an apostrophe precedes texts that a spreadsheet would run as formulas.`,
    query: listContactsQuery,
    list: ({ agent }) => `contacts/${agent.id}`,
    csv: true,
    responses: { 200: contactListSchema },
    async handle({ agent, query, list, prefers, reserve }, { contacts, cursors }) {
      if (prefers(CSV)) {
        const file = await csvOf(contacts, agent.id, reserve);
        return { status: 200, file, name: 'contacts.csv', type: `${CSV}; charset=utf-8; header=present` };
      }
      const request = cursors.request(list, query);
      const [rows, total] = await Promise.all([contacts.page(agent.id, request), contacts.count(agent.id)]);
      return ok(cursors.page(list, request, rows, total, presentContact));
    },
  }),
  route({
    ...one,
    id: 'getContact',
    method: 'GET',
    permission: 'contacts.view',
    summary: 'Read contact details',
    description: 'Details are deleted after `contacts.keepDays`, not with their conversation.',
    responses: { 200: contactSchema },
    refusals: ['RESOURCE_NOT_FOUND'],
    handle: async ({ agent, params }, { contacts }) =>
      ok(presentContact(existing(await contacts.find(agent.id, contactIdOf(params)), 'RESOURCE_NOT_FOUND'))),
  }),
  route({
    ...one,
    id: 'deleteContact',
    method: 'DELETE',
    permission: 'contacts.delete',
    summary: 'Delete contact details',
    description: 'Cannot be undone. The conversation stays.',
    responses: { 200: deletedContact },
    refusals: ['RESOURCE_NOT_FOUND'],
    async handle({ agent, params }, { contacts }) {
      if (!(await contacts.remove(agent.id, contactIdOf(params)))) throw new ApiError('RESOURCE_NOT_FOUND');
      return ok({ deleted: true });
    },
  }),
];
