import { type TProperties, Type } from '@sinclair/typebox';
import {
  evaluationOrigins,
  evaluationQuestion,
  evaluationQuestions,
  evaluationStatuses,
  verdictChanges,
  verdicts,
} from '../../schemas/evaluations.js';
import { limits } from '../../schemas/limits.js';
import { listOf, nullable, oneOf, pageQuery, unixSeconds, uuid } from '../../schemas/shapes.js';

const bounds = limits.evaluations;
const count = (description: string) => Type.Integer({ minimum: 0, description });

/** Counts of verdicts. */
export const figures = {
  questions: count('All questions'),
  right: count('Complete answers that cite the right sources'),
  partly: count(
    'Incomplete answers that cite a right source without a match of `mustNot`, and complete answers with such a match',
  ),
  wrong: count('Other answers that cite a source'),
  refused: count('Answers that cite no source'),
  failed: count('Questions without an answer to judge'),
  score: nullable(
    Type.Number({
      minimum: 0,
      maximum: 1,
      description:
        'Share of the judged questions that were answered right or, if unanswerable, refused. null until a question is judged',
    }),
  ),
};

const evaluation = {
  id: uuid('Evaluation id'),
  name: nullable(Type.String({ description: 'Name from the request; null without one' })),
  origin: oneOf(evaluationOrigins, {
    description: '`training`: started when a job had ended; `draft`: of settings that were not live',
  }),
  status: oneOf(evaluationStatuses, {
    description: '`failed`: no question could be judged, or some were not judged within 24 hours',
  }),
  progress: Type.Integer({ minimum: 0, description: 'Questions that have a result' }),
  figures: Type.Object(figures, { $id: 'EvaluationFigures' }),
  createdAt: unixSeconds('Creation'),
  startedAt: nullable(unixSeconds('First question')),
  endedAt: nullable(unixSeconds('End')),
};

export const evaluationSchema = Type.Object(evaluation, { $id: 'Evaluation' });
export const draftEvaluationSchema = Type.Object(
  {
    ...evaluation,
    compareTo: nullable(uuid('Newest completed evaluation of the live settings')),
  },
  { $id: 'DraftEvaluation' },
);
export const evaluationListSchema = listOf(evaluationSchema, 'EvaluationList');
export const listEvaluationsQuery = Type.Object(pageQuery, { $id: 'ListEvaluationsQuery' });

export const createEvaluationBody = Type.Object(
  {
    name: Type.Optional(
      nullable(Type.String({ trim: true, minLength: 1, maxLength: bounds.name, description: 'For people' })),
    ),
    questions: Type.Optional(evaluationQuestions('Defaults to the kept questions of the agent')),
    compareTo: Type.Optional(
      nullable(
        uuid(
          'Id of an earlier evaluation of the agent. Even if that is the oldest, it is not deleted to make room for the new one',
        ),
      ),
    ),
  },
  { $id: 'CreateEvaluation' },
);

const compareTo = Type.Optional(uuid('Id of an earlier evaluation of the agent to compare with'));

export const getEvaluationQuery = Type.Object({ compareTo }, { $id: 'GetEvaluationQuery' });

export const evaluationDetailSchema = Type.Object(
  {
    ...evaluation,
    types: Type.Array(
      // Without the name of the figures, which a schema may hold only once.
      Type.Object({ type: Type.String(), figures: Type.Object(figures) }, { $id: 'EvaluationType' }),
      { description: 'By type of question, in the order in which the types first occur' },
    ),
    comparison: Type.Optional(
      Type.Object(
        {
          evaluationId: uuid('The earlier evaluation'),
          better: count('Questions with a better verdict'),
          worse: count('Questions with a worse verdict'),
          same: count('Questions with the same verdict'),
          new: count('Questions without a verdict in one of the two evaluations'),
        },
        { $id: 'EvaluationComparison', description: 'With `compareTo`' },
      ),
    ),
  },
  { $id: 'EvaluationDetail' },
);

export const listResultsQuery = Type.Object(
  {
    ...pageQuery,
    verdict: Type.Optional(oneOf(verdicts, { description: 'Only questions with this verdict' })),
    compareTo,
    change: Type.Optional(
      oneOf(verdictChanges, {
        description: 'Only questions whose verdict changed in this way. Requires `compareTo`',
      }),
    ),
  },
  { $id: 'ListResultsQuery' },
);

export const resultListSchema = listOf(
  Type.Object(
    {
      position: Type.Integer({ minimum: 1, description: 'Position of the question in the evaluation' }),
      question: evaluationQuestion,
      verdict: nullable(oneOf(verdicts, { description: 'null until the question is judged' })),
      answer: nullable(
        Type.String({
          description: `The first ${bounds.answer.toLocaleString('en')} characters of the answer`,
        }),
      ),
      titles: nullable(Type.Array(Type.String(), { description: 'Titles of the cited sources' })),
      error: nullable(
        Type.Object(
          { code: Type.String(), message: Type.String({ description: 'For people' }) },
          { description: 'Why the question failed' },
        ),
      ),
      durationMs: nullable(count('Time for all answers of the question and the judgement, in milliseconds')),
      previous: Type.Optional(
        nullable(oneOf(verdicts, { description: 'Only with `compareTo`: the verdict in that evaluation' })),
      ),
      change: Type.Optional(oneOf(verdictChanges, { description: 'With `compareTo`' })),
    },
    { $id: 'EvaluationResult' },
  ),
  'EvaluationResultList',
);

const kept: TProperties = {
  id: uuid('Id of the kept question'),
  createdAt: unixSeconds('When the question was first kept'),
  question: evaluationQuestion,
};
export const keptQuestionSchema = Type.Object(kept, { $id: 'KeptQuestion' });
export const keptQuestionListSchema = listOf(keptQuestionSchema, 'KeptQuestionList');
export const listKeptQuestionsQuery = Type.Object(pageQuery, { $id: 'ListKeptQuestionsQuery' });
export const keepQuestionsBody = Type.Object(
  { questions: evaluationQuestions('Questions to keep') },
  { $id: 'KeepQuestions' },
);
export const keptQuestionsSchema = Type.Object(
  {
    data: Type.Array(keptQuestionSchema, { description: 'The kept questions, in the order of the request' }),
  },
  { $id: 'KeptQuestions' },
);

const { question: _, before: __, ...expectations } = evaluationQuestion.properties;
export const keepMessageBody = Type.Object(
  {
    conversationId: uuid('Conversation of the message'),
    messageId: Type.String({
      pattern: '^[1-9][0-9]*$',
      description: 'Message of the user, or the answer to it',
    }),
    ...expectations,
  },
  { $id: 'KeepMessage' },
);
