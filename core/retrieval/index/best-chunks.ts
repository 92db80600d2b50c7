export interface RankedChunk {
  documentId: string;
  version: number;
  sourceType: number;
  /** Position of the chunk in its document. */
  chunk: number;
  score: number;
}

export interface BestChunks {
  /** Score that a chunk must reach; 0 until the list is full. */
  readonly least: number;
  add(chunk: RankedChunk): void;
  /** Best first. */
  chunks: RankedChunk[];
}

/** Orders chunks by score. Ties are broken by document id and position, so that all processes agree. */
const before = (a: RankedChunk, b: RankedChunk): boolean => {
  if (a.score !== b.score) return a.score > b.score;
  return a.documentId === b.documentId ? a.chunk < b.chunk : a.documentId < b.documentId;
};

/** Creates a list that keeps the best `limit` chunks. */
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
