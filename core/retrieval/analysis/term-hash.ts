/*
 * 32-bit hash of a term: FNV-1a over UTF-16 units with the finalizer of MurmurHash3, so that the values are evenly
 * distributed. About one in 100,000 words of an agent collides with another; both then count as one.
 */

export const HASH_START = 0x811c9dc5;

export const hashedOn = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);

export function hashEnd(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Hashes a term, or a slice of a text. */
export function termHash(text: string, start = 0, end = text.length): number {
  let hash = HASH_START;
  for (let at = start; at < end; at++) hash = hashedOn(hash, text.charCodeAt(at));
  return hashEnd(hash);
}
