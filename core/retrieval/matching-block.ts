import { type Structure, structuresOf } from '../knowledge/text/text-structure.js';
import type { Excerpt } from '../ports/store/knowledge/excerpts.js';

/** A range of a document in code points, end exclusive. */
export type Stretch = Pick<Excerpt, 'start' | 'end' | 'text'>;

/**
 * Returns the structure of an excerpt (list, table, paragraph …) with the highest share of the question (`shareOf`),
 * and the line that introduces it. Returns the whole excerpt if no structure matches, or if it is a
 * question-and-answer entry, because its question explains the answer.
 */
export function matchingBlock(
  { start, end, text, headings, sourceType }: Excerpt,
  shareOf: (text: string) => number,
): Stretch {
  const whole = { start, end, text };
  if (sourceType === 'qna_entry') return whole;
  const structures = structuresOf(text, headings);
  if (structures.every(({ start, end }) => end - start === text.length)) return whole;
  let best: { block: Structure; share: number } | null = null;
  for (const block of structures) {
    const words = [...block.headings, text.slice(firstOf(block), block.end)].join('\n');
    const share = shareOf(words);
    if (share > (best?.share ?? 0)) best = { block, share };
  }
  if (best === null) return whole;
  const stretch = text.slice(firstOf(best.block), best.block.end);
  const from = start + lengthOf(text.slice(0, firstOf(best.block)));
  return { start: from, end: from + lengthOf(stretch), text: stretch };
}

/** Start of a structure, including the line that introduces it. */
const firstOf = ({ start, lead }: Structure): number => Math.min(start, lead?.start ?? start);

/** Length in code points. */
function lengthOf(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}
