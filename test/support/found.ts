import type { Found, Passage } from '../../core/knowledge/text/passages.js';
import { analyse } from '../../core/retrieval/analysis/analyse.js';
import { shareBy, supportOf, weigh, wordsOf } from '../../core/retrieval/coverage.js';
import { askedWords } from '../../core/retrieval/question-terms.js';

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
  const words = askedWords(question);
  const texts = whole.map((passage) => new Set(analyse(wordsOf(passage))));
  const frequencies = new Map(
    words
      .flatMap(({ terms, alternatives }) => [...terms, ...alternatives])
      .map((term) => [term, texts.filter((text) => text.has(term)).length]),
  );
  const terms = weigh(words, { chunks: whole.length, frequencies });
  const coverage = Math.max(0, ...whole.map(wordsOf).map(shareBy(terms)));
  return {
    passages: whole,
    coverage,
    support: supportOf(coverage, whole.length),
    answeringSentence: null,
    terms,
  };
}
