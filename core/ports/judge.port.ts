import type { Owner } from '../fairness/owner.js';
import type { EvaluationQuestion, Verdict } from '../schemas/evaluations.js';

/** Judges the answers of evaluations without holding up the event loop. */
export interface Judge {
  /** Rejects with JudgeBusy, or with JudgeTimeout if the patterns of the question take too long. */
  judge(
    question: EvaluationQuestion,
    answer: { text: string; titles: readonly string[] },
    owner: Owner,
  ): Promise<Exclude<Verdict, 'failed'>>;
}

/** Nothing was judged. Temporary. */
export class JudgeBusy extends Error {
  override name = 'JudgeBusy';
}

export class JudgeTimeout extends Error {
  override name = 'JudgeTimeout';
}
