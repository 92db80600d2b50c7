import { type Entries, noEntries, sortByHash } from './entries.js';
import { type IndexPart, livePart, type PartDocument } from './index-part.js';
import { addPosting, openTerm, type PostingList, postingList, tablesOf } from './posting-list.js';
import {
  ALL_HASHES,
  chunkOf,
  collectPostings,
  countOf,
  MOST_CHUNKS,
  openSegment,
  readLengths,
  type SegmentCursor,
} from './segment-cursor.js';

/** A document with its stored segment. */
export interface SegmentDocument extends PartDocument {
  segment: Uint8Array;
}

/** Number of postings per sort. They fit into a core's cache, and the limit bounds the extra memory of a merge. */
const AT_A_TIME = 131_072;

/**
 * Merges segments into one part, one hash range at a time, and yields between ranges so that the thread stays
 * responsive. Throws a RangeError if a segment has an unknown format or there are too many chunks for one part.
 */
export function* mergeSegments(documents: readonly SegmentDocument[]): Generator<void, IndexPart> {
  const cursors: SegmentCursor[] = [];
  const firstChunks = new Uint32Array(documents.length + 1);
  let chunks = 0;
  let postings = 0;
  for (const [n, { segment }] of documents.entries()) {
    const cursor = openSegment(segment, chunks);
    cursors.push(cursor);
    chunks += cursor.layout.chunks;
    postings += cursor.layout.postings + cursor.layout.titleTerms * cursor.layout.chunks;
    firstChunks[n + 1] = chunks;
  }
  if (chunks > MOST_CHUNKS) throw new RangeError(`${chunks} chunks are more than one index can hold`);

  const list = postingList(postings);
  const ranges = Math.max(1, Math.ceil(postings / AT_A_TIME));
  const entries = noEntries(Math.ceil((postings / ranges) * 1.1));
  for (let range = 1; range <= ranges; range++) {
    const end = range === ranges ? ALL_HASHES : Math.floor((ALL_HASHES / ranges) * range);
    entries.size = 0;
    for (const cursor of cursors) collectPostings(entries, cursor, end);
    writeTerms(list, sortByHash(entries));
    yield;
  }
  const lengths = new Uint32Array(chunks);
  for (const cursor of cursors) readLengths(cursor, lengths);
  return livePart({
    documents: documents.map(({ id, version, sourceType }) => ({ id, version, sourceType })),
    firstChunks,
    lengths,
    ...tablesOf(list),
  });
}

function writeTerms(list: PostingList, { hashes, payloads, size }: Entries): void {
  for (let n = 0; n < size; n++) {
    const hash = hashes[n] as number;
    if (n === 0 || hash !== hashes[n - 1]) openTerm(list, hash);
    const payload = payloads[n] as number;
    addPosting(list, chunkOf(payload), countOf(payload));
  }
}
