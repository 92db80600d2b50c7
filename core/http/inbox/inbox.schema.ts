import { Type } from '@sinclair/typebox';
import { conversationStates } from '../../ports/store/conversations/conversation-rows.js';
import { listOf, nullable, oneOf, pageQuery, unixSeconds, uuid } from '../../schemas/shapes.js';
import { assignee, conversationSchema, lastMessage } from '../conversations/conversations.schema.js';

const optional = Type.Optional;

export const inboxQuery = Type.Object(
  {
    ...pageQuery,
    state: optional(
      oneOf(conversationStates, { description: 'By default `requested` and `human` together' }),
    ),
    assignee: optional(
      Type.String({
        pattern: '^(me|none|[0-9A-Fa-f-]{36})$',
        description: '`me`, `none`, or the id of a member or of an API key',
      }),
    ),
    agentId: optional(Type.String({ format: 'uuid', description: 'Only conversations of this agent' })),
  },
  { $id: 'InboxQuery' },
);

const example = {
  conversation: {
    id: '01a1f2c6-1d52-7a90-b2f7-3c8e5d6a9b10',
    title: 'Where is my parcel?',
    source: 'widget',
    status: 'ongoing',
    userId: 'u-17',
    messageCount: 3,
    createdAt: 1_795_312_800,
    updatedAt: 1_795_312_815,
    state: 'requested',
    assignee: null,
    waitingSince: 1_795_312_830,
  },
  agentId: '01a1f2c5-7c10-7d44-8c3a-6f1d2e9b4a07',
  state: 'requested',
  assignee: null,
  waitingSince: 1_795_312_830,
  unread: 1,
  lastMessage: { id: '1043', role: 'user', text: 'Where is my parcel?', createdAt: 1_795_312_820 },
};

export const inboxSchema = listOf(
  Type.Object(
    {
      conversation: conversationSchema,
      agentId: uuid('Agent id'),
      state: oneOf(conversationStates),
      assignee: nullable(assignee),
      waitingSince: nullable(unixSeconds('Request for a person, or oldest message without an answer')),
      unread: Type.Integer({
        minimum: 0,
        description:
          'Messages of the visitor after the last one of a person, or after `markConversationRead`',
      }),
      lastMessage: nullable(lastMessage),
    },
    { $id: 'InboxItem', examples: [example] },
  ),
  'Inbox',
);
