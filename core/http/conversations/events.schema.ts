import { type TSchema, Type } from '@sinclair/typebox';
import { conversationStates } from '../../ports/store/conversations/conversation-rows.js';
import { limits } from '../../schemas/limits.js';
import { nullable, oneOf } from '../../schemas/shapes.js';
import { messageSchema, visitorMessageSchema } from './conversations.schema.js';

const { min, max } = limits.handover.eventWaitSeconds;

export const eventsQuery = Type.Object(
  {
    wait: Type.Optional(
      Type.Integer({
        minimum: min,
        maximum: max,
        description: 'Returns events as JSON instead of a stream, and waits for them up to this many seconds',
      }),
    ),
  },
  { $id: 'EventsQuery' },
);

const id = Type.String({ examples: ['17'], description: 'Good as `Last-Event-ID`' });
const state = oneOf(conversationStates);

const eventOf = (message: TSchema) =>
  Type.Union([
    Type.Object({ id, type: Type.Literal('message'), message }),
    Type.Object({
      id,
      type: Type.Literal('state'),
      state,
      person: nullable(Type.Object({ name: Type.String() })),
    }),
  ]);

export const eventListSchema = Type.Object(
  { state, events: Type.Array(eventOf(messageSchema)) },
  { $id: 'ConversationEvents' },
);

export const visitorEventListSchema = Type.Object({
  state,
  events: Type.Array(eventOf(visitorMessageSchema)),
});
