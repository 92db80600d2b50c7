import { hashesOf } from '../retrieval/analysis/term-hashes.js';

/** Maximum number of distinct words of a message. Later words are not found. */
const MOST_WORDS = 2048;

/** Limit for visitors and people on social platforms, because they may send many messages: 1,792 bytes of hashes. */
export const MOST_WORDS_OF_VISITORS = 448;

/** Returns the hashes of the distinct words of a text, as the search of sources analyses them. */
export function wordsOf(text: string, most = MOST_WORDS): Uint32Array {
  const { table, size } = hashesOf(text);
  const distinct = new Set<number>();
  for (let at = 0; at < size && distinct.size < most; at++) distinct.add(table[at] as number);
  return Uint32Array.from(distinct);
}
