import { failureOf } from '../../conversations/answer-failures.js';
import type { ComparedVerdict } from '../../evaluations/compare.js';
import { figuresOf } from '../../evaluations/tally.js';
import type {
  EvaluationFailureCode,
  EvaluationRow,
  KeptQuestionRow,
  ResultRow,
  Tally,
  VerdictRow,
} from '../../ports/store/conversations/evaluations.js';
import { verdictChanges } from '../../schemas/evaluations.js';

type Counted = Pick<Tally, 'verdict' | 'unanswerable' | 'count'>;

const one = ({ verdict, unanswerable }: VerdictRow): Counted => ({ verdict, unanswerable, count: 1 });

export function presentEvaluation(
  { id, name, origin, status, createdAt, startedAt, endedAt }: EvaluationRow,
  tallies: readonly Counted[],
) {
  const figures = figuresOf(tallies);
  const progress = tallies.reduce((sum, { verdict, count }) => sum + (verdict === null ? 0 : count), 0);
  return { id, name, origin, status, progress, figures, createdAt, startedAt, endedAt };
}

/** Presents a new evaluation, in which no question has a result. */
export const presentNew = (row: EvaluationRow) =>
  presentEvaluation(row, [{ verdict: null, unanswerable: false, count: row.questions }]);

export function presentDetail(
  row: EvaluationRow,
  verdicts: readonly VerdictRow[],
  compared: { evaluationId: string; rows: readonly ComparedVerdict[] } | null,
) {
  const types = [...new Set(verdicts.map(({ type }) => type))].map((type) => ({
    type,
    figures: figuresOf(verdicts.filter((verdict) => verdict.type === type).map(one)),
  }));
  const counts = compared && {
    evaluationId: compared.evaluationId,
    ...Object.fromEntries(
      verdictChanges.map((wanted) => [
        wanted,
        compared.rows.filter(({ change }) => change === wanted).length,
      ]),
    ),
  };
  return {
    ...presentEvaluation(row, verdicts.map(one)),
    types,
    ...(counts ? { comparison: counts } : {}),
  };
}

const failure = (code: EvaluationFailureCode) =>
  code === 'PATTERN_TIMEOUT'
    ? { code, message: 'A regular expression of the question takes too long. Simplify it.' }
    : failureOf(code);

export const presentResult = (
  { position, question, verdict, answer, titles, error, durationMs }: ResultRow,
  compared: Pick<ComparedVerdict, 'previous' | 'change'> | null,
) => ({
  position,
  question,
  verdict,
  answer,
  titles,
  error: error && failure(error),
  durationMs,
  ...(compared ? { previous: compared.previous, change: compared.change } : {}),
});

export const presentKept = ({ id, createdAt, question }: KeptQuestionRow) => ({ id, createdAt, question });
