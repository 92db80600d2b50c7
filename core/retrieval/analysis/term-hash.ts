/*
 * 32 bits that stand for a term in segments and indexes: FNV-1a over UTF-16 units, mixed as MurmurHash3 ends,
 * so that all ranges of the result are equally full. Two of an agent's words meet once in some hundred
 * thousand; then they count as one.
 */

export const HASH_START = 0x811c9dc5;

/** The hash with one more unit. */
export const hashedOn = (hash: number, unit: number): number => Math.imul(hash ^ unit, 0x01000193);

/** What all units have come to. */
export function hashEnd(hash: number): number {
  let mixed = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** Of a term, which may be a stretch of a text. */
export function termHash(text: string, start = 0, end = text.length): number {
  let hash = HASH_START;
  for (let at = start; at < end; at++) hash = hashedOn(hash, text.charCodeAt(at));
  return hashEnd(hash);
}
