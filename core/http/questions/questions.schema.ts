import { Type } from '@sinclair/typebox';
import { limits } from '../../schemas/limits.js';
import { dayOfQuery, listOf, oneOf, pageQuery, unixSeconds, uuid } from '../../schemas/shapes.js';

const { days, messages } = limits.openQuestions;

export const questionsQuery = Type.Object(
  {
    ...pageQuery,
    outcome: Type.Optional(
      oneOf(['unanswered', 'suggested'], {
        description: 'Outcome of the answers. Required without `feedback`',
      }),
    ),
    feedback: Type.Optional(
      oneOf(['negative'], { description: 'Only questions whose answer was rated badly' }),
    ),
    from: dayOfQuery(
      `First day; by default the first of the last ${days} days. Earlier days are not searched`,
    ),
    to: dayOfQuery('Last day, inclusive; by default today'),
  },
  { $id: 'QuestionsQuery' },
);

export const questionsSchema = listOf(
  Type.Object(
    {
      question: Type.String({ description: 'Newest wording' }),
      count: Type.Integer({
        minimum: 1,
        description: `How often it was asked, among the newest ${messages.toLocaleString('en')} questions`,
      }),
      lastAskedAt: unixSeconds('Last time'),
      conversationId: uuid('Conversation in which it was last asked'),
      messageId: Type.String({
        pattern: '^[1-9][0-9]*$',
        description: 'Message of the user in that conversation',
      }),
      resolved: Type.Boolean({
        description:
          'Whether the question was asked again and answered after the last change of the sources, or was marked with `resolveQuestion` and has not been left unanswered since',
      }),
    },
    { $id: 'AskedQuestion' },
  ),
  'QuestionList',
);

export const resolveBody = Type.Object(
  {
    question: Type.String({
      minLength: limits.question.min,
      maxLength: limits.question.max,
      notBlank: true,
      description: 'The question in any of its wordings',
    }),
  },
  { $id: 'ResolveRequest' },
);

export const resolvedSchema = Type.Object({ resolved: Type.Literal(true) }, { $id: 'Resolved' });
