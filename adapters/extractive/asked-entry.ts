import type { Found } from '../../core/knowledge/text/passages.js';
import { readQna } from '../../core/knowledge/text/qna-text.js';
import { questionMatcher, shareBy, wordsOf } from '../../core/retrieval/coverage.js';

/**
 * Maximum amount by which the coverage of an entry is below that of the best passage. A worse entry is about another
 * topic.
 */
const TOLERANCE = 0.2;

/**
 * Returns the first question-and-answer entry with the same question, and its answer as far as the passage contains
 * it; null if there is no such entry.
 */
export function askedEntry({ passages, terms }: Found): { passage: number; answer: string } | null {
  const share = shareBy(terms);
  const isSame = questionMatcher(terms);
  const shares = passages.map((passage) => share(wordsOf(passage)));
  const most = Math.max(...shares);
  for (const [passage, { sourceType, text }] of passages.entries()) {
    if (sourceType !== 'qna_entry' || (shares[passage] ?? 0) < most - TOLERANCE) continue;
    const { questions, answer: stored } = readQna(text);
    const answer = stored?.trim();
    if (answer && questions.some(isSame)) return { passage, answer };
  }
  return null;
}
