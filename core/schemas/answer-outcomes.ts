/** How well the sources answered a question. `suggested`: they are related, but do not cover it. */
export const answerOutcomes = ['answered', 'suggested', 'unanswered'] as const;
export type AnswerOutcome = (typeof answerOutcomes)[number];
