import type { Verdict } from '../../../../../../core/schemas/evaluations.js';

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
  /** No source answers the question, so that it should not be answered. */
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

/** A share in percent; rounded down like on the command line; a dash if there is none yet. */
export const percent = (share: number | null): string =>
  share === null ? '–' : `${Math.floor(100 * share)} %`;
