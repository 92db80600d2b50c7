import { Type } from '@sinclair/typebox';
import { conversationStates } from '../../ports/store/conversations/conversation-rows.js';
import { limits } from '../../schemas/limits.js';
import { nullable, oneOf, someOf } from '../../schemas/shapes.js';
import { messageSchema } from './conversations.schema.js';

const optional = Type.Optional;

const takeOver = optional(
  Type.Boolean({ default: false, description: 'Whether to take the conversation from another person' }),
);

export const writeMessageBody = Type.Object(
  {
    text: Type.String({
      minLength: 1,
      maxLength: limits.handover.personMessage,
      notBlank: true,
      description: 'Sent unchanged',
      examples: ['Hello, this is Ada from Acme.'],
    }),
    authorName: optional(
      Type.String({
        trim: true,
        minLength: 1,
        maxLength: limits.handover.authorName,
        notBlank: true,
        description: 'Only for API keys: the name that visitors see. Without it, the name of the agent',
      }),
    ),
    takeOver,
  },
  { $id: 'WriteMessage' },
);

export const updateConversationBody = someOf(
  {
    state: optional(
      oneOf(['human', 'agent', 'closed'], {
        description: '`human` takes the conversation over, `agent` hands it back to the agent',
      }),
    ),
    assigneeId: optional(
      nullable(
        Type.String({
          format: 'uuid',
          description:
            'Gives the conversation to a member, or to an API key with the scope `full`. null: nobody has it',
        }),
      ),
    ),
    takeOver,
  },
  { $id: 'UpdateConversation' },
);

export const writtenMessageSchema = Type.Object(
  {
    ...messageSchema.properties,
    deliveryId: optional(
      Type.String({
        format: 'uuid',
        description: 'On a social platform: `listSocialDeliveries` shows whether it was sent',
      }),
    ),
  },
  { $id: 'WrittenMessage' },
);

export const requestPersonBody = Type.Object(
  {
    reason: optional(
      Type.String({
        trim: true,
        maxLength: limits.handover.reason,
        description: 'What it is about, for the people who answer',
        examples: ['My parcel has not arrived'],
      }),
    ),
    cancel: optional(Type.Boolean({ default: false, description: 'true takes an earlier request back' })),
  },
  { $id: 'RequestPerson' },
);

export const requestedSchema = Type.Object(
  {
    state: oneOf(conversationStates, {
      description: '`agent`: the request was not accepted, or was taken back',
    }),
    expectedSeconds: optional(
      nullable(
        Type.Integer({
          minimum: 0,
          description: 'Usual wait: the median of the last 30 days. null with fewer than five requests',
        }),
      ),
    ),
    form: optional(
      Type.Boolean({
        description: 'If the request was not accepted: whether the visitor can leave contact details',
      }),
    ),
  },
  { $id: 'PersonRequested', examples: [{ state: 'requested', expectedSeconds: 45 }] },
);
