import { Type } from '@sinclair/typebox';
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
