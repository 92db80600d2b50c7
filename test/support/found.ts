import type { Found, Passage } from '../../core/knowledge/passages.js';
import { shareOf, supportOf, weigh, wordsOf } from '../../core/retrieval/coverage.js';
import { questionTerms } from '../../core/retrieval/question-terms.js';

/** The result of a search over only these passages, best first. */
export function foundIn(question: string, passages: readonly (Partial<Passage> & { text: string })[]): Found {
  const whole = passages.map((passage, n): Passage => {
    const start = passage.start ?? 0;
    return {
      documentId: `document-${n + 1}`,
      sourceType: 'text_snippet',
      title: `Document ${n + 1}`,
      url: null,
      start,
      end: start + [...passage.text].length,
      headings: [],
      score: passages.length - n,
      ...passage,
    };
  });
  const terms = questionTerms(question);
  const frequencies = terms.map(
    ({ term }) =>
      whole.filter((passage) => shareOf([{ term, forms: [term], weight: 1 }], wordsOf(passage)) > 0).length,
  );
  const weighed = weigh(terms, { chunks: whole.length, frequencies });
  const coverage = Math.max(0, ...whole.map((passage) => shareOf(weighed, wordsOf(passage))));
  return { passages: whole, coverage, support: supportOf({ coverage }), terms: weighed };
}
