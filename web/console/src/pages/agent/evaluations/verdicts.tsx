import type { Verdict } from '../../../../../../core/schemas/evaluations.js';
import type { Evaluation } from '../../../api/types.js';

export const verdictNames: Record<Verdict, string> = {
  right: 'Right',
  partly: 'Partly right',
  wrong: 'Wrong',
  refused: 'Not answered',
  failed: 'Failed',
};

const looks: Record<Verdict, string> = {
  right: 'ready',
  partly: 'running',
  wrong: 'failed',
  refused: 'failed',
  failed: 'failed',
};

interface VerdictLabelProps {
  verdict: Verdict | null;
  /** True if no source answers the question, so the agent should not answer it. */
  unanswerable: boolean;
}

export const VerdictLabel = ({ verdict, unanswerable }: VerdictLabelProps) =>
  verdict === null ? (
    <span class="state">Waiting</span>
  ) : (
    <span class={`state ${unanswerable && verdict === 'refused' ? 'ready' : looks[verdict]}`}>
      {unanswerable && verdict === 'refused' ? 'Rightly not answered' : verdictNames[verdict]}
    </span>
  );

/** Formats the score as `4 of 6`: of the questions that were judged. Returns a dash without a score. */
export function outOf({ right, partly, wrong, refused, score }: Evaluation['figures']): string {
  const judged = right + partly + wrong + refused;
  return score === null ? '–' : `${Math.round(score * judged)} of ${judged}`;
}
