export interface RankedChunk {
  documentId: string;
  version: number;
  sourceType: number;
  /** Position of the chunk in its document. */
  chunk: number;
  score: number;
}

export interface BestChunks {
  /** The score that a chunk must reach to be considered; 0 while there is room. */
  readonly least: number;
  add(chunk: RankedChunk): void;
  /** Best first. */
  chunks: RankedChunk[];
}

/** Best first; ties in an order that every process agrees on. */
const before = (a: RankedChunk, b: RankedChunk): boolean => {
  if (a.score !== b.score) return a.score > b.score;
  return a.documentId === b.documentId ? a.chunk < b.chunk : a.documentId < b.documentId;
};

/** Keeps the best `limit` of all that are added. */
export function bestChunks(limit: number): BestChunks {
  const chunks: RankedChunk[] = [];
  return {
    chunks,
    get least() {
      return chunks.length < limit ? 0 : (chunks.at(-1)?.score ?? 0);
    },
    add(chunk) {
      let place = chunks.length;
      while (place > 0 && before(chunk, chunks[place - 1] as RankedChunk)) place -= 1;
      if (place >= limit) return;
      chunks.splice(place, 0, chunk);
      if (chunks.length > limit) chunks.pop();
    },
  };
}
