/**
 * The merged inverted index of some documents, with all data for ranking. It is built from segments
 * (merge-segments.ts) or other parts (join-parts.ts); both give each chunk the same score. Documents and chunks are
 * numbered from 0, in any order.
 */
export interface IndexPart {
  documents: PartDocument[];
  /** First chunk of each document, then the number of chunks. */
  firstChunks: Uint32Array;
  /** Document of each chunk. */
  documentOf: Uint32Array;
  /** Words of each chunk, including title and headings. */
  lengths: Uint32Array;
  /** Term hashes, ascending. */
  hashes: Uint32Array;
  /** First posting of each term, then the number of postings. */
  firstPostings: Uint32Array;
  /** Chunk of each posting, ascending within a term. */
  chunks: Uint32Array;
  /** Occurrences of the term in the chunk, at most 255. */
  counts: Uint8Array;
  /** Tombstones: 1 for a document that was deleted or replaced. Its chunks are ignored. */
  dead: Uint8Array;
  deadDocuments: number;
  deadChunks: number;
  /** Number of chunks and of words in live documents. */
  liveChunks: number;
  liveWords: number;
}

export interface PartDocument {
  id: string;
  /** The agent's knowledge version that added this content. */
  version: number;
  sourceType: number;
}

/** Estimated memory of an empty part, in bytes. In small agents, this is most of the memory. */
const PART_BYTES = 2200;
/** Estimated memory of a document without its tables, in bytes. */
const DOCUMENT_BYTES = 200;

export const bytesOf = (part: IndexPart): number =>
  PART_BYTES +
  part.documents.length * DOCUMENT_BYTES +
  part.firstChunks.byteLength +
  part.documentOf.byteLength +
  part.lengths.byteLength +
  part.hashes.byteLength +
  part.firstPostings.byteLength +
  part.chunks.byteLength +
  part.counts.byteLength;

/** Completes a part without dead documents: derives its other fields from these tables. */
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

/**
 * Returns a copy of the part with these documents marked as dead. Their chunks stay in the tables but are ignored.
 */
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

/** Returns the index of the term's hash, or -1. */
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
