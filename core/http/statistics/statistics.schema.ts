import { Type } from '@sinclair/typebox';
import { limits } from '../../schemas/limits.js';
import { nullable, uuid } from '../../schemas/shapes.js';

const { days, defaultDays, keepDays, sources } = limits.statistics;

const count = (description: string) => Type.Integer({ minimum: 0, description });

const day = (description: string) => Type.String({ format: 'date', description: `${description}, UTC` });

export const statisticsQuery = Type.Object(
  {
    from: Type.Optional(day(`First day; by default, ${defaultDays} days up to \`to\``)),
    to: Type.Optional(day(`Last day, inclusive; by default today. At most ${days} days`)),
  },
  { $id: 'StatisticsQuery' },
);

export const statisticsSchema = Type.Object(
  {
    days: Type.Array(
      Type.Object(
        {
          day: day('Day'),
          conversations: count('Conversations that began'),
          questions: count(
            'Answers to questions of users. A retry counts once; small talk does not count, nor do calls of tools before their results',
          ),
          answered: count('Answers that cite a source'),
          suggested: count('Answers that name sources which are related but do not cover the question'),
          unanswered: count('Answers with neither'),
          positive: count('Answers of this day with positive feedback, whenever it was given'),
          negative: count('Answers of this day with negative feedback'),
          visitors: count('Different users who asked a question. Conversations without a user do not count'),
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
      count('Median time of completed answers in milliseconds, up to 5 % off; null without answers'),
    ),
  },
  { $id: 'Statistics' },
);
