import type { VerdictRow } from '../ports/store/conversations/evaluations.js';
import type { Verdict, VerdictChange } from '../schemas/evaluations.js';
import { passes } from './tally.js';

/** A verdict with the verdict of the same question in an earlier evaluation. */
export interface ComparedVerdict extends VerdictRow {
  previous: Verdict | null;
  change: VerdictChange;
}

const ranks: Record<Exclude<Verdict, 'failed'>, number> = { wrong: 0, refused: 1, partly: 2, right: 3 };

/** Ranks a verdict for comparison; higher is better. Null for a question without a judgement. */
const rankOf = ({ verdict, unanswerable }: VerdictRow): number | null => {
  if (verdict === null || verdict === 'failed') return null;
  return passes({ verdict, unanswerable }) ? ranks.right : ranks[verdict];
};

function changeOf(now: VerdictRow, before: VerdictRow | undefined): VerdictChange {
  const rank = rankOf(now);
  const previous = before ? rankOf(before) : null;
  if (rank === null || previous === null) return 'new';
  if (rank === previous) return 'same';
  return rank > previous ? 'better' : 'worse';
}

/** Compares the verdicts on equal questions in two evaluations. */
export function compare(rows: readonly VerdictRow[], earlier: readonly VerdictRow[]): ComparedVerdict[] {
  const before = new Map(earlier.map((row) => [row.questionHash, row]));
  return rows.map((row) => {
    const found = before.get(row.questionHash);
    return { ...row, previous: found?.verdict ?? null, change: changeOf(row, found) };
  });
}
