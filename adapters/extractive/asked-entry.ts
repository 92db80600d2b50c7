import type { Found } from '../../core/knowledge/passages.js';
import { readQna } from '../../core/knowledge/qna-text.js';
import { isSameQuestion } from '../../core/retrieval/coverage.js';

/** Returns the first matching question-and-answer entry, with its answer as far as the passage contains it; or null. */
export function askedEntry({ passages, terms }: Found): { passage: number; answer: string } | null {
  for (const [passage, { sourceType, text }] of passages.entries()) {
    if (sourceType !== 'qna_entry') continue;
    const { questions, answer: stored } = readQna(text);
    const answer = stored?.trim();
    if (answer && questions.some((question) => isSameQuestion(terms, question))) return { passage, answer };
  }
  return null;
}
