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

/** Formats a share in percent, rounded down as on the command line. Returns a dash if there is none yet. */
export const percent = (share: number | null): string =>
  share === null ? '–' : `${Math.floor(100 * share)} %`;
