import type { Found } from '../../core/knowledge/text/passages.js';
import { readQna } from '../../core/knowledge/text/qna-text.js';
import { questionMatcher, shareBy, wordsOf } from '../../core/retrieval/coverage.js';
import { isEntryFor } from '../../core/retrieval/same-question.js';

/**
 * Maximum amount by which the coverage of an entry is below that of the best passage. A worse entry is about another
 * topic.
 */
const TOLERANCE = 0.2;

/**
 * Returns the question-and-answer entry with this question, or the first one with a similar question, and its answer as
 * far as the passage contains it; null if there is no such entry.
 */
export function askedEntry(
  { passages, terms }: Found,
  question: string,
): { passage: number; answer: string } | null {
  const asked = passages.findIndex((passage) => isEntryFor(passage, question));
  const answer = asked < 0 ? undefined : readQna(passages[asked]?.text ?? '').answer?.trim();
  if (answer) return { passage: asked, answer };
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
