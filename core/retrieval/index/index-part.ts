/**
 * A merged index: all that is needed to rank the chunks of some documents. Made from segments
 * (merge-segments.ts) or from other parts (join-parts.ts), with the same result for a chunk. Documents and
 * their chunks are numbered from 0, in any order.
 */
export interface IndexPart {
  documents: PartDocument[];
  /** First chunk of each document; at the end, the number of chunks. */
  firstChunks: Uint32Array;
  /** Which document a chunk belongs to. */
  documentOf: Uint32Array;
  /** Words of each chunk, those of title and headings included. */
  lengths: Uint32Array;
  /** Term hashes, ascending. */
  hashes: Uint32Array;
  /** First posting of each term; at the end, the number of postings. */
  firstPostings: Uint32Array;
  /** Chunk of each posting, ascending within a term. */
  chunks: Uint32Array;
  /** How often the term stands in the chunk, at most 255. */
  counts: Uint8Array;
  /** Documents that were deleted or replaced since: 1. Their chunks count for nothing. */
  dead: Uint8Array;
  deadDocuments: number;
  deadChunks: number;
  /** Chunks and words that count. */
  liveChunks: number;
  liveWords: number;
}

export interface PartDocument {
  id: string;
  /** The agent's knowledge version that brought this content. */
  version: number;
  sourceType: number;
}

/** What an entry costs beside its tables: an object, an id, a place in a map. */
const DOCUMENT_BYTES = 200;

export const bytesOf = (part: IndexPart): number =>
  part.documents.length * DOCUMENT_BYTES +
  part.firstChunks.byteLength +
  part.documentOf.byteLength +
  part.lengths.byteLength +
  part.hashes.byteLength +
  part.firstPostings.byteLength +
  part.chunks.byteLength +
  part.counts.byteLength;

/** A part that was put together, nothing in it dead. */
export function livePart(
  tables: Pick<
    IndexPart,
    'documents' | 'firstChunks' | 'lengths' | 'hashes' | 'firstPostings' | 'chunks' | 'counts'
  >,
): IndexPart {
  const { documents, firstChunks, lengths } = tables;
  const documentOf = new Uint32Array(lengths.length);
  for (let n = 0; n < documents.length; n++) documentOf.fill(n, firstChunks[n], firstChunks[n + 1]);
  let liveWords = 0;
  for (const words of lengths) liveWords += words;
  return {
    ...tables,
    documentOf,
    dead: new Uint8Array(documents.length),
    deadDocuments: 0,
    deadChunks: 0,
    liveChunks: lengths.length,
    liveWords,
  };
}

export const emptyPart = (): IndexPart =>
  livePart({
    documents: [],
    firstChunks: new Uint32Array(1),
    lengths: new Uint32Array(),
    hashes: new Uint32Array(),
    firstPostings: new Uint32Array(1),
    chunks: new Uint32Array(),
    counts: new Uint8Array(),
  });

/** The part without the documents that are gone; their chunks stay in the tables and count for nothing. */
export function without(part: IndexPart, isGone: (document: PartDocument) => boolean): IndexPart {
  const left = { ...part, dead: part.dead.slice() };
  for (const [n, document] of part.documents.entries()) {
    if (left.dead[n] === 1 || !isGone(document)) continue;
    left.dead[n] = 1;
    left.deadDocuments += 1;
    const first = part.firstChunks[n] as number;
    const end = part.firstChunks[n + 1] as number;
    left.deadChunks += end - first;
    left.liveChunks -= end - first;
    for (let chunk = first; chunk < end; chunk++) left.liveWords -= part.lengths[chunk] as number;
  }
  return left;
}

/** Where the term stands among the hashes; -1 when it does not. */
export function findTerm({ hashes }: IndexPart, hash: number): number {
  let low = 0;
  let high = hashes.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const found = hashes[middle] as number;
    if (found === hash) return middle;
    if (found < hash) low = middle + 1;
    else high = middle - 1;
  }
  return -1;
}
