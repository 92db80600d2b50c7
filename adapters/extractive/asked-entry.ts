import type { Found } from '../../core/knowledge/passages.js';
import { readQna } from '../../core/knowledge/qna-text.js';
import { shareOf } from '../../core/retrieval/coverage.js';

/** Share of what was asked that a stored question must hold to be the same question. */
const SAME_QUESTION = 0.6;

/**
 * The first question-and-answer entry that was asked for, and its answer as far as the passage goes;
 * null when there is none.
 */
export function askedEntry({ passages, terms }: Found): { passage: number; answer: string } | null {
  for (const [passage, { sourceType, text }] of passages.entries()) {
    if (sourceType !== 'qna_entry') continue;
    const { questions, answer: stored } = readQna(text);
    const answer = stored?.trim();
    if (answer && questions.some((question) => shareOf(terms, question) >= SAME_QUESTION))
      return { passage, answer };
  }
  return null;
}
