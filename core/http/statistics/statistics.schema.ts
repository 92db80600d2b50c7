import { Type } from '@sinclair/typebox';
import { limits } from '../../schemas/limits.js';
import { dayOfQuery, nullable, uuid } from '../../schemas/shapes.js';

const { days, defaultDays, keepDays, sources } = limits.statistics;

const count = (description: string) => Type.Integer({ minimum: 0, description });

export const statisticsQuery = Type.Object(
  {
    from: dayOfQuery(`First day; by default, ${defaultDays} days up to \`to\``),
    to: dayOfQuery(`Last day, inclusive; by default today. At most ${days} days`),
  },
  { $id: 'StatisticsQuery' },
);

export const statisticsSchema = Type.Object(
  {
    days: Type.Array(
      Type.Object(
        {
          day: Type.String({ format: 'date', description: 'Day, UTC' }),
          conversations: count('Conversations that began'),
          questions: count(
            'Answers to questions of users. A retried question counts once. Small talk, and answers that end with tool calls, do not count',
          ),
          answered: count('Answers that cite a source'),
          suggested: count('Answers that name sources which are related but do not cover the question'),
          unanswered: count('Answers that neither cite nor name a source'),
          positive: count('Answers of this day with positive feedback, whenever it was given'),
          negative: count('Answers of this day with negative feedback'),
          visitors: count('Different users who asked a question. Conversations without a user do not count'),
          contacts: count('Contact details that visitors have sent'),
          handoverRequests: count('Accepted requests of visitors for a person'),
          handoversTaken: count('Requests that a person has taken, on the day on which it was'),
        },
        { $id: 'StatisticsOfDay' },
      ),
      { description: `Every day of the period, oldest first. Counters are kept for ${keepDays} days` },
    ),
    topSources: Type.Array(
      Type.Object(
        { documentId: uuid('Document id'), title: Type.String(), citations: count('Citations in answers') },
        { $id: 'CitedSource' },
      ),
      { description: `The ${sources} documents cited most, without deleted ones` },
    ),
    medianAnswerMs: nullable(
      count(
        'Median duration of completed answers in milliseconds, at most 5 % off; null without answers. Includes answers that a retry has replaced',
      ),
    ),
    medianWaitSeconds: nullable(
      count('Median time until a person has taken a request, at most 5 % off; null without any'),
    ),
  },
  { $id: 'Statistics' },
);
