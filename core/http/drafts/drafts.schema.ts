import { Type } from '@sinclair/typebox';
import { limits } from '../../schemas/limits.js';
import { nullable, oneOf, unixSeconds, uuid } from '../../schemas/shapes.js';

const value = (description: string) => Type.Unsafe<unknown>({ description });

export const draftSchema = Type.Object(
  {
    changes: Type.Array(
      Type.Object(
        {
          field: Type.String({ examples: ['ai.instructionsPrompt'] }),
          live: value('Value now; null if it is not set'),
          draft: value('Value in the draft; null if it is not set'),
        },
        { $id: 'DraftChange' },
      ),
    ),
    conflicts: Type.Array(Type.String(), {
      description: 'Changed fields whose live value has changed since they entered the draft',
    }),
    updatedAt: nullable(unixSeconds('Last change; null without a draft')),
    updatedBy: nullable(
      Type.Object({
        type: oneOf(['user', 'key', 'cli', 'system']),
        id: nullable(uuid('Id of the membership or the key')),
        label: Type.String(),
      }),
    ),
  },
  { $id: 'Draft' },
);

export const draftChatBody = Type.Object(
  {
    message: Type.String({ minLength: 1, maxLength: limits.chat.message, notBlank: true }),
    history: Type.Optional(
      Type.Array(
        Type.Object({
          role: oneOf(['user', 'assistant']),
          text: Type.String({ minLength: 1, maxLength: limits.chat.message }),
        }),
        { maxItems: limits.drafts.history, description: 'Earlier messages, oldest first' },
      ),
    ),
    stream: Type.Optional(Type.Boolean({ default: true })),
  },
  { $id: 'DraftChat' },
);

export const publishBody = Type.Object(
  {
    base: Type.Optional(
      Type.Integer({ minimum: 1, description: 'Number of the newest version, to publish despite conflicts' }),
    ),
  },
  { $id: 'PublishDraft' },
);
