/**
 * 32 bits that stand for a term, which may be a stretch of a text, in segments and indexes: FNV-1a over UTF-16 units, mixed as MurmurHash3 ends, so that all ranges of the
 * result are equally full. Two of an agent's words meet once in some hundred thousand; then they count as one.
 */
export function termHash(text: string, start = 0, end = text.length): number {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
