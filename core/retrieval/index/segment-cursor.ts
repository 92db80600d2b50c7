import { addEntry, type Entries } from './entries.js';
import { MOST, readLayout, type SegmentLayout } from './segment.js';
import { type ByteReader, readNumber } from './varint.js';

/** A posting is packed into 32 bits: the chunk's number in the part, then the count in this many bits. */
export const COUNT_BITS = 8;
export const MOST_CHUNKS = 2 ** (32 - COUNT_BITS);
export const ALL_HASHES = 2 ** 32;

/** Reads a segment's terms in ascending order of hashes. Reading may stop at any hash and continue later. */
export interface SegmentCursor {
  layout: SegmentLayout;
  /** Number of the segment's first chunk in the part. */
  firstChunk: number;
  /** Hash of the next term of the body and of the title; 2^32 at the end. */
  bodyHash: number;
  titleHash: number;
  /** Number of terms after that term. */
  bodyLeft: number;
  titleLeft: number;
  hashes: ByteReader;
  postings: ByteReader;
  title: ByteReader;
}

export function openSegment(bytes: Uint8Array, firstChunk: number): SegmentCursor {
  const layout = readLayout(bytes);
  const cursor: SegmentCursor = {
    layout,
    firstChunk,
    bodyHash: 0,
    titleHash: 0,
    bodyLeft: layout.terms,
    titleLeft: layout.titleTerms,
    hashes: { bytes, at: layout.hashesAt },
    postings: { bytes, at: layout.postingsAt },
    title: { bytes, at: layout.titleAt },
  };
  nextOfBody(cursor);
  nextOfTitle(cursor);
  return cursor;
}

function nextOfBody(cursor: SegmentCursor): void {
  cursor.bodyHash = cursor.bodyLeft === 0 ? ALL_HASHES : cursor.bodyHash + readNumber(cursor.hashes);
  cursor.bodyLeft -= 1;
}

function nextOfTitle(cursor: SegmentCursor): void {
  cursor.titleHash = cursor.titleLeft === 0 ? ALL_HASHES : cursor.titleHash + readNumber(cursor.title);
  cursor.titleLeft -= 1;
}

/** Adds the postings of all terms below `end`. */
export function collectPostings(entries: Entries, cursor: SegmentCursor, end: number): void {
  while (cursor.bodyHash < end || cursor.titleHash < end) {
    if (cursor.bodyHash < cursor.titleHash) {
      collectBody(entries, cursor);
      nextOfBody(cursor);
      continue;
    }
    const isInBody = cursor.bodyHash === cursor.titleHash;
    collectTitle(entries, cursor, isInBody);
    nextOfTitle(cursor);
    if (isInBody) nextOfBody(cursor);
  }
}

function collectBody(entries: Entries, { bodyHash, layout, firstChunk, postings }: SegmentCursor): void {
  if (layout.chunks === 1) {
    addEntry(entries, bodyHash, posting(firstChunk, readNumber(postings)));
    return;
  }
  const size = readNumber(postings);
  for (let n = 0, chunk = firstChunk; n < size; n++) {
    const step = readNumber(postings);
    chunk += step >>> 1;
    addEntry(entries, bodyHash, posting(chunk, (step & 1) === 0 ? 1 : readNumber(postings)));
  }
}

/**
 * Adds the postings of a title term. It occurs in every chunk; its occurrences in the body are added to the count.
 */
function collectTitle(entries: Entries, cursor: SegmentCursor, isInBody: boolean): void {
  const { titleHash, title, layout, firstChunk } = cursor;
  const first = entries.size;
  const count = readNumber(title);
  for (let n = 0; n < layout.chunks; n++) addEntry(entries, titleHash, posting(firstChunk + n, count));
  if (!isInBody) return;
  const end = entries.size;
  collectBody(entries, cursor);
  for (let n = end; n < entries.size; n++) {
    const payload = entries.payloads[n] as number;
    const place = first + chunkOf(payload) - firstChunk;
    entries.payloads[place] = posting(chunkOf(payload), Math.min(MOST, count + countOf(payload)));
  }
  entries.size = end;
}

const posting = (chunk: number, count: number): number => (chunk << COUNT_BITS) | count;
export const chunkOf = (payload: number): number => payload >>> COUNT_BITS;
export const countOf = (payload: number): number => payload & MOST;

/** Writes the number of words of each chunk to `lengths`, including the title's words. */
export function readLengths({ layout, firstChunk, title }: SegmentCursor, lengths: Uint32Array): void {
  const reader = { bytes: title.bytes, at: layout.lengthsAt };
  for (let n = 0; n < layout.chunks; n++) lengths[firstChunk + n] = readNumber(reader) + layout.titleWords;
}
