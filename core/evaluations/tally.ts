import type { Tally } from '../ports/store/conversations/evaluations.js';
import { type Verdict, verdicts } from '../schemas/evaluations.js';

/** Number of questions by verdict. */
export interface Figures extends Record<Verdict, number> {
  questions: number;
  /** Share of the judged questions that pass, from 0 to 1; null while no question has been judged. */
  score: number | null;
}

/** Returns whether a question passes: it was answered right or, if unanswerable, refused. */
export const passes = ({ verdict, unanswerable }: Pick<Tally, 'verdict' | 'unanswerable'>): boolean =>
  verdict === (unanswerable ? 'refused' : 'right');

const ROUNDING = 10_000;

/** Adds up the tallies of one evaluation. A failed question counts as judged in the score. */
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
