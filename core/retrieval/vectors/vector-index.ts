import { bestChunks, type RankedChunk } from '../index/best-chunks.js';
import type { PartDocument } from '../index/index-part.js';
import { blockBytes, readBlock } from './vector-block.js';

/** A document with the stored vectors of its chunks. */
export interface VectorDocument extends PartDocument {
  dimensions: number;
  /** In the format of vector-block.ts. */
  vectors: Uint8Array;
}

/** The vectors of all chunks of an agent. Uses typed arrays, because there may be tens of millions of numbers. */
export interface VectorIndex {
  documents: readonly PartDocument[];
  /** First chunk of each document, then the number of chunks. */
  firstChunks: Uint32Array;
  dimensions: number;
  scales: Float32Array;
  numbers: Int8Array;
}

const DOCUMENT_BYTES = 200;

export const bytesOfVectors = ({ documents, firstChunks, scales, numbers }: VectorIndex): number =>
  documents.length * DOCUMENT_BYTES + firstChunks.byteLength + scales.byteLength + numbers.byteLength;

export const noVectors: VectorIndex = {
  documents: [],
  firstChunks: new Uint32Array(1),
  dimensions: 0,
  scales: new Float32Array(),
  numbers: new Int8Array(),
};

/**
 * Merges the documents of `before` that pass `stays` with `added`. Returns null if their vectors differ in length.
 */
export function vectorIndex(
  before: VectorIndex,
  stays: (document: PartDocument) => boolean,
  added: readonly VectorDocument[],
): VectorIndex | null {
  const kept = [...before.documents.keys()].filter((n) => stays(before.documents[n] as PartDocument));
  const full = added.filter(({ vectors }) => vectors.length > 0);
  const dimensions = kept.length > 0 ? before.dimensions : (full[0]?.dimensions ?? 0);
  if (full.some((document) => document.dimensions !== dimensions)) return null;
  const chunksOf = (n: number) => (before.firstChunks[n + 1] as number) - (before.firstChunks[n] as number);
  const chunks =
    kept.reduce((sum, n) => sum + chunksOf(n), 0) +
    full.reduce((sum, { vectors }) => sum + vectors.length / blockBytes(1, dimensions), 0);
  const made = {
    documents: [...kept.map((n) => before.documents[n] as PartDocument), ...full.map(withoutVectors)],
    firstChunks: new Uint32Array(kept.length + full.length + 1),
    dimensions,
    scales: new Float32Array(chunks),
    numbers: new Int8Array(chunks * dimensions),
  };
  let document = 0;
  let at = 0;
  for (const n of kept) {
    const [first, end] = [before.firstChunks[n] as number, before.firstChunks[n + 1] as number];
    made.scales.set(before.scales.subarray(first, end), at);
    made.numbers.set(before.numbers.subarray(first * dimensions, end * dimensions), at * dimensions);
    at += end - first;
    made.firstChunks[++document] = at;
  }
  for (const { vectors } of full) {
    at += readBlock(vectors, dimensions, made, at);
    made.firstChunks[++document] = at;
  }
  return made;
}

const withoutVectors = ({ id, version, sourceType }: VectorDocument): PartDocument => ({
  id,
  version,
  sourceType,
});

/**
 * Scans all chunks and returns those with the highest positive cosine similarity to `question`, a unit vector.
 * Returns null if that vector has another length.
 */
export function nearestChunks(
  index: VectorIndex,
  question: Float32Array,
  { limit, sourceTypes }: { limit: number; sourceTypes: readonly number[] | null },
): RankedChunk[] | null {
  const { documents, firstChunks, dimensions, scales, numbers } = index;
  if (question.length !== dimensions) return null;
  const best = bestChunks(limit);
  for (const [n, { id, version, sourceType }] of documents.entries()) {
    if (sourceTypes !== null && !sourceTypes.includes(sourceType)) continue;
    const first = firstChunks[n] as number;
    const end = firstChunks[n + 1] as number;
    for (let chunk = first; chunk < end; chunk++) {
      let sum = 0;
      for (let k = 0, at = chunk * dimensions; k < dimensions; k++, at++)
        sum += (question[k] as number) * (numbers[at] as number);
      const score = sum * (scales[chunk] as number);
      if (score <= 0 || score < best.least) continue;
      best.add({ documentId: id, version, sourceType, chunk: chunk - first, score });
    }
  }
  return best.chunks;
}
