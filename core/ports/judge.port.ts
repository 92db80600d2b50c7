import type { Owner } from '../fairness/owner.js';
import type { EvaluationQuestion, Verdict } from '../schemas/evaluations.js';

/** Judges the answers of evaluations without holding up the event loop. */
export interface Judge {
  /** Rejects with JudgeBusy, or with PatternUnusable if a regular expression of the question takes too long. */
  judge(
    question: EvaluationQuestion,
    answer: { text: string; titles: readonly string[] },
    owner: Owner,
  ): Promise<Exclude<Verdict, 'failed'>>;
  /**
   * Compiles patterns. Returns for each the reason why it cannot be used; null if it can. Rejects with JudgeBusy, at
   * the latest after 2 s.
   */
  patternProblems(patterns: readonly string[], owner: Owner): Promise<(string | null)[]>;
}

/** Nothing was judged. Temporary. */
export class JudgeBusy extends Error {
  override name = 'JudgeBusy';
}

export class PatternUnusable extends Error {
  override name = 'PatternUnusable';
}
