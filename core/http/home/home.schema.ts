import { Type } from '@sinclair/typebox';
import { oneOf } from '../../schemas/shapes.js';
import { statisticsSchema } from '../statistics/statistics.schema.js';

/** What an agent needs until it is live, in this order. */
export const checklist = ['sources', 'answer', 'published', 'notified'] as const;
export type ChecklistItem = (typeof checklist)[number];

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const homeSchema = Type.Object(
  {
    checklist: Type.Array(
      Type.Object({
        id: oneOf(checklist, {
          description:
            '`sources`: it has one. `answer`: a question was answered from them. `published`: it is shared by a link, connected to a social account, or a visitor has asked it. `notified`: a webhook is registered, or members get e-mails about it',
        }),
        done: Type.Boolean(),
      }),
    ),
    today: Type.Object(
      {
        unanswered: count(
          'Questions of the last 90 days without an answer in the sources, that are not resolved',
        ),
        negative: count(
          'Questions of the last 90 days whose answers were rated badly, that are not resolved',
        ),
        failures: count('Pages and files that could not be read'),
        waiting: count('Conversations in which a visitor waits for a person'),
      },
      { description: 'What needs a person. Each is at most 100 for questions, else 10,000' },
    ),
    days: statisticsSchema.properties.days,
  },
  { $id: 'Home' },
);
