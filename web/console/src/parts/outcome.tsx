import type { AnswerOutcome } from '../../../../core/schemas/answer-outcomes.js';

export const outcomeLabels: Record<AnswerOutcome, string> = {
  answered: 'Answered',
  suggested: 'Sources suggested',
  unanswered: 'Not answered',
};

/** A label for how well the sources answered a question. */
export const Outcome = ({ outcome }: { outcome: AnswerOutcome }) => (
  <span class={`state ${outcome}`}>{outcomeLabels[outcome]}</span>
);
