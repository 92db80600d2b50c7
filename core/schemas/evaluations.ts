import { type Static, Type } from '@sinclair/typebox';
import { limits } from './limits.js';
import { oneOf } from './shapes.js';

/**
 * Verdict on one answer. `partly`: an incomplete answer that cites a required source and matches nothing of
 * `mustNot`, or a complete answer that matches a pattern of `mustNot`. `refused`: the answer cites no source.
 * `failed`: there was no answer.
 */
export const verdicts = ['right', 'partly', 'wrong', 'refused', 'failed'] as const;
export type Verdict = (typeof verdicts)[number];

export const evaluationStatuses = ['pending', 'running', 'completed', 'failed', 'cancelled'] as const;
export type EvaluationStatus = (typeof evaluationStatuses)[number];

/** What started an evaluation. */
export const evaluationOrigins = ['request', 'training', 'draft'] as const;
export type EvaluationOrigin = (typeof evaluationOrigins)[number];

/**
 * Change of a verdict since an earlier evaluation. `new`: one of the two evaluations has no verdict on the question.
 */
export const verdictChanges = ['better', 'worse', 'same', 'new'] as const;
export type VerdictChange = (typeof verdictChanges)[number];

/** Types of questions that no source answers, so that a refusal is the right answer. */
export const unanswerableTypes: readonly string[] = ['small-talk', 'off-topic', 'near-topic'];

const bounds = limits.evaluations;
const { max, characters } = bounds.expressions;

const pattern = Type.String({
  minLength: 1,
  maxLength: bounds.pattern,
  notBlank: true,
  description:
    'Text to find, ignoring case and white space, or a regular expression between slashes. Numbers in a text compare as numbers: 42 also finds 42.00 and 42,00',
});

const example = {
  type: 'exact',
  question: 'How long does the lamp take to charge?',
  answer: [['90 minutes', '1.5 hours']],
  source: ['Reading lamp'],
};

/** A question with the requirements for its answer. */
export const evaluationQuestion = Type.Object(
  {
    type: Type.Optional(
      Type.String({
        pattern: `^[a-z0-9][a-z0-9-]{0,${bounds.type - 1}}$`,
        default: 'question',
        description: `Groups the results. ${unanswerableTypes.map((type) => `\`${type}\``).join(', ')}: unanswerable, unless stated otherwise`,
      }),
    ),
    question: Type.String({
      minLength: 1,
      maxLength: limits.chat.message,
      notBlank: true,
      description: 'Message of the user',
    }),
    before: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: limits.chat.message, notBlank: true }), {
        maxItems: bounds.before,
        description: 'Earlier messages of the user in the same conversation; each is answered first',
      }),
    ),
    answer: Type.Optional(
      Type.Array(Type.Array(pattern, { minItems: 1, maxItems: bounds.alternatives }), {
        maxItems: bounds.groups,
        description: 'The answer must contain one alternative of each group',
        examples: [[['90 minutes', '1.5 hours']]],
      }),
    ),
    source: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: limits.title }), {
        maxItems: bounds.sources,
        description: 'Titles of the sources that the answer must cite',
      }),
    ),
    sourceMode: Type.Optional(
      oneOf(['all', 'any'], { default: 'all', description: '`any`: one of these sources suffices' }),
    ),
    mustNot: Type.Optional(
      Type.Array(pattern, {
        maxItems: bounds.alternatives,
        description: 'Patterns that the answer must not contain',
      }),
    ),
    unanswerable: Type.Optional(
      Type.Boolean({
        description: 'No source answers the question, so an answer that cites a source is wrong',
      }),
    ),
  },
  {
    $id: 'EvaluationQuestion',
    examples: [example],
  },
);

/** A question with all fields. */
export type EvaluationQuestion = Required<Static<typeof evaluationQuestion>>;

/** Returns the schema of the questions in a request. */
export const evaluationQuestions = (description: string) =>
  Type.Array(evaluationQuestion, {
    minItems: 1,
    maxItems: bounds.questions,
    description: `${description}. At most ${max.toLocaleString('en')} different regular expressions, with ${characters.toLocaleString('en')} characters in total`,
    examples: [[example]],
  });
