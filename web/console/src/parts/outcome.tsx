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

const statusNames: Record<string, string> = {
  pending: 'Waiting',
  running: 'Running',
  completed: 'Completed',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

export const statusName = (status: string): string => statusNames[status] ?? status;

/** A label for the status of a job, a task or an evaluation. */
export const Status = ({ status }: { status: string }) => (
  <span class={`state ${status}`}>{statusName(status)}</span>
);
