import type { Found } from '../../core/knowledge/passages.js';
import { shareOf } from '../../core/retrieval/coverage.js';

/** Share of what was asked that a stored question must hold to be the same question. */
const SAME_QUESTION = 0.6;

const answerMark = '\nA: ';
const questionLine = /^Q: (.+)$/gm;

/**
 * The first question-and-answer entry that was asked for, and its answer as far as the passage goes;
 * null when there is none.
 */
export function askedEntry({ passages, terms }: Found): { passage: number; answer: string } | null {
  for (const [passage, { sourceType, text }] of passages.entries()) {
    const at = sourceType === 'qna_entry' ? text.indexOf(answerMark) : -1;
    if (at < 0) continue;
    const questions = [...text.slice(0, at).matchAll(questionLine)].map(([, question]) => question ?? '');
    const answer = text.slice(at + answerMark.length).trim();
    if (answer !== '' && questions.some((question) => shareOf(terms, question) >= SAME_QUESTION))
      return { passage, answer };
  }
  return null;
}
