/** A list of terms and postings under construction, in ascending order of hashes. */
export interface PostingList {
  hashes: Uint32Array;
  firstPostings: Uint32Array;
  terms: number;
  chunks: Uint32Array;
  counts: Uint8Array;
  postings: number;
}

/** Creates a list with a fixed capacity of `postings`. */
export const postingList = (postings: number): PostingList => ({
  hashes: new Uint32Array(1024),
  firstPostings: new Uint32Array(1024),
  terms: 0,
  chunks: new Uint32Array(postings),
  counts: new Uint8Array(postings),
  postings: 0,
});

/** Starts the next term. Its hash must be greater than all earlier hashes. */
export function openTerm(list: PostingList, hash: number): void {
  if (list.terms === list.hashes.length) {
    list.hashes = doubled(list.hashes);
    list.firstPostings = doubled(list.firstPostings);
  }
  list.hashes[list.terms] = hash;
  list.firstPostings[list.terms++] = list.postings;
}

export function addPosting(list: PostingList, chunk: number, count: number): void {
  list.chunks[list.postings] = chunk;
  list.counts[list.postings++] = count;
}

function doubled(table: Uint32Array): Uint32Array {
  const larger = new Uint32Array(table.length * 2);
  larger.set(table);
  return larger;
}

/**
 * Maximum ratio of capacity to entries at which a table is not trimmed: a copy would cost more than the unused
 * memory.
 */
const SPARE = 1.05;

export function tablesOf({ hashes, firstPostings, terms, chunks, counts, postings }: PostingList) {
  const ends = new Uint32Array(terms + 1);
  ends.set(firstPostings.subarray(0, terms));
  ends[terms] = postings;
  const isTight = chunks.length <= postings * SPARE;
  return {
    hashes: hashes.slice(0, terms),
    firstPostings: ends,
    chunks: isTight ? chunks.subarray(0, postings) : chunks.slice(0, postings),
    counts: isTight ? counts.subarray(0, postings) : counts.slice(0, postings),
  };
}
