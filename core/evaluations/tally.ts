import type { Tally } from '../ports/store/conversations/evaluations.js';
import { type Verdict, verdicts } from '../schemas/evaluations.js';

/** How many questions have each verdict. */
export interface Figures extends Record<Verdict, number> {
  questions: number;
  /** Share of the judged questions with the wanted verdict, from 0 to 1; null while there is none. */
  score: number | null;
}

/** Returns whether this is what is wanted: a right answer, or the refusal of an unanswerable question. */
export const passes = ({ verdict, unanswerable }: Pick<Tally, 'verdict' | 'unanswerable'>): boolean =>
  verdict === (unanswerable ? 'refused' : 'right');

const ROUNDING = 10_000;

/** Adds up the tallies of one evaluation. A question that failed counts towards the score. */
export function figuresOf(tallies: readonly Pick<Tally, 'verdict' | 'unanswerable' | 'count'>[]): Figures {
  const sum = (counts: (tally: (typeof tallies)[number]) => boolean): number =>
    tallies.filter(counts).reduce((total, { count }) => total + count, 0);
  const judged = sum(({ verdict }) => verdict !== null);
  const byVerdict = Object.fromEntries(
    verdicts.map((verdict) => [verdict, sum((tally) => tally.verdict === verdict)]),
  ) as Record<Verdict, number>;
  return {
    questions: sum(() => true),
    ...byVerdict,
    score: judged === 0 ? null : Math.round((sum(passes) / judged) * ROUNDING) / ROUNDING,
  };
}
