import { unanswerableTypes } from '../core/schemas/evaluations.js';
import type { Api } from './api.js';

/** A question whose nearest sentence was compared with it. */
interface Compared {
  similarity: number;
  /** Share of the question that words cover: it counts against the similarity of an answer. */
  coverage: number;
  /** Whether the sentence is in an expected source. A sentence near to an unanswerable question is never right. */
  isRight: boolean;
}

export interface Calibration {
  questions: number;
  /** Questions that words cover, or that follow other messages: similarity does not count for them. */
  skipped: number;
  answeringSimilarity: number | null;
  leastSimilarity: number | null;
  /** Questions at or above `answeringSimilarity`. */
  right: number;
  wrong: number;
}

interface Question {
  question: string;
  type?: string;
  unanswerable?: boolean;
  before?: string[];
  source?: string[];
}

interface Hits {
  nearest?: { title: string; similarity: number; coverage: number };
}

/** Maximum share of the compared questions that may be answered wrongly. */
const MAX_WRONG = 0.02;
/** Share of the right sentences that count as related. */
const RELATED = 0.95;

/** Proposes the thresholds of the embedding model for an agent, by the sentences that are nearest to its questions. */
export async function calibrate(
  api: Api,
  at: string,
  questions: readonly object[],
  onProgress: (done: number, all: number) => void,
): Promise<Calibration> {
  const compared: Compared[] = [];
  for (const [n, asked] of (questions as Question[]).entries()) {
    onProgress(n, questions.length);
    if ((asked.before ?? []).length > 0) continue;
    const { nearest } = await api.send<Hits>('POST', `${at}/search`, { query: asked.question, limit: 1 });
    if (nearest === undefined) continue;
    const { type = '', unanswerable = unanswerableTypes.includes(type), source = [] } = asked;
    compared.push({
      similarity: nearest.similarity,
      coverage: nearest.coverage,
      isRight: !unanswerable && (source.length === 0 || source.includes(nearest.title)),
    });
  }
  return {
    questions: questions.length,
    skipped: questions.length - compared.length,
    ...thresholds(compared),
  };
}

/** Chooses the threshold with the most right answers among those with hardly any wrong ones. */
export function thresholds(
  compared: readonly Compared[],
): Pick<Calibration, 'answeringSimilarity' | 'leastSimilarity' | 'right' | 'wrong'> {
  const best = compared
    .map(({ similarity, coverage, isRight }) => ({ similarity, answering: similarity - coverage, isRight }))
    .sort((a, b) => b.answering - a.answering);
  let chosen = 0;
  let wrong = 0;
  for (const [n, { isRight }] of best.entries()) {
    if (!isRight) wrong++;
    else if (wrong <= MAX_WRONG * compared.length) chosen = n + 1;
  }
  const answered = best.slice(0, chosen);
  const right = best.filter(({ isRight }) => isRight).sort((a, b) => b.similarity - a.similarity);
  const last = answered.at(-1)?.answering;
  const related = right[Math.ceil(RELATED * right.length) - 1]?.similarity;
  return {
    answeringSimilarity: last === undefined ? null : between(best[chosen]?.answering ?? last - 0.05, last),
    leastSimilarity: related === undefined ? null : rounded(related),
    right: answered.filter(({ isRight }) => isRight).length,
    wrong: answered.filter(({ isRight }) => !isRight).length,
  };
}

/** A threshold in the middle of the gap does not depend on the last digit of one question. */
const between = (below: number, above: number): number => rounded((below + above) / 2);
const rounded = (similarity: number): number => Math.round(similarity * 100) / 100;
