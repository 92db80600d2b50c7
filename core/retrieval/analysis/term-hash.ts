/*
 * 32-bit hash of a term: FNV-1a over UTF-16 units with the finalizer of MurmurHash3, so that the values are evenly
 * distributed. In an agent, about one word in 100,000 has the hash of another word; both then count as the same word.
 */

export const HASH_START = 0x811c9dc5;

export const hashStep = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);

export function finishHash(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Hashes the UTF-16 units of `text` from `start` to `end`. */
export function termHash(text: string, start = 0, end = text.length): number {
  let hash = HASH_START;
  for (let at = start; at < end; at++) hash = hashStep(hash, text.charCodeAt(at));
  return finishHash(hash);
}
