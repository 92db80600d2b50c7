import type { Passage } from '../knowledge/text/passages.js';
import type { TextRange } from '../knowledge/text/sentences.js';
import { quotableIn } from '../knowledge/text/text-structure.js';
import type { Citation } from '../ports/store/conversations/answer.js';
import { analyse } from '../retrieval/analysis/analyse.js';

/** Maximum length of a quote, in code points. */
const LONGEST_QUOTE = 300;
/** Tolerance for sums of the same numbers in different orders. */
const ROUNDING = 1e-9;

/** Builds the citation of a source and quotes the part of it that best supports the claim. */
export function citationOf(passage: Passage, sourceId: string, claim: string): Citation {
  const { text } = passage;
  const { start, end } = nearest(text, claim);
  const quote = [...text.slice(start, end)].slice(0, LONGEST_QUOTE).join('');
  const from = passage.start + codePoints(text.slice(0, start));
  return {
    sourceId,
    documentId: passage.documentId,
    sourceType: passage.sourceType,
    title: passage.title,
    url: passage.url,
    start: from,
    end: from + codePoints(quote),
    quote,
  };
}

const codePoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};

/**
 * Finds the run of whole parts that shares most words with the claim and fits into a quote; of several, the shortest.
 * Returns the first part if no part shares a word.
 */
function nearest(text: string, claim: string): TextRange {
  const parts = quotableIn(text, LONGEST_QUOTE);
  const claimed = new Set(analyse(claim));
  const shared = parts.map(
    ({ start, end }) => new Set(analyse(text.slice(start, end)).filter((term) => claimed.has(term))),
  );
  const rarity = new Map<string, number>();
  for (const terms of shared) for (const term of terms) rarity.set(term, (rarity.get(term) ?? 0) + 1);
  let best: TextRange = parts[0] ?? { start: 0, end: text.length };
  let most = 0;
  for (const [first, { start }] of parts.entries()) {
    const held = new Set<string>();
    for (let last = first; last < parts.length; last++) {
      const end = parts[last]?.end ?? start;
      if (last > first && end - start > LONGEST_QUOTE) break;
      for (const term of shared[last] ?? []) held.add(term);
      const score = [...held].reduce((sum, term) => sum + 1 / (rarity.get(term) ?? 1), 0);
      const isShorter = end - start < best.end - best.start;
      if (score > most + ROUNDING || (most > 0 && isShorter && score > most - ROUNDING)) {
        most = score;
        best = { start, end };
      }
    }
  }
  return best;
}
