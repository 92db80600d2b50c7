/** How well the sources answered a question. `suggested`: related sources were named, but they do not answer it. */
export const answerOutcomes = ['answered', 'suggested', 'unanswered'] as const;
export type AnswerOutcome = (typeof answerOutcomes)[number];
