import type { Chunk } from '../../tasks/wire.js';
import { ANALYSIS } from '../analysis/analyse.js';
import { addHashes, copyHashes, hashesOf, noHashes, type TermHashes } from '../analysis/term-hashes.js';
import { addEntries, type Entries, noEntries, sortByHash } from './entries.js';
import {
  type ByteReader,
  type ByteWriter,
  byteWriter,
  readNumber,
  writeBytes,
  writeNumber,
  written,
} from './varint.js';

/*
 * A segment is the inverted index of one document. All numbers are varints.
 *
 *   segment:  title, body
 *   title:    number of terms, then for each, in order of hashes: difference to the previous hash, count.
 *             They count as words of every chunk.
 *   body:     format, analysis, number of chunks, words of each chunk,
 *             number of terms, number of postings, bytes of the hashes,
 *             differences to the previous hash, then for each term its postings
 *   postings: in a document of one chunk: the count. Otherwise the number of chunks, then for each:
 *             twice the difference to the previous chunk, plus 1 if a count above 1 follows, that count
 *
 * A worker makes the body, which needs no title; the API prepends the title.
 */
const FORMAT = 1;
/** Maximum count of a word in one chunk. Higher counts would hardly change the ranking. */
export const MOST = 255;

/** Distinct words of a text by hash, with their number of occurrences. */
interface Words {
  hashes: Uint32Array;
  counts: Uint8Array;
  /** All occurrences. */
  total: number;
}

function wordsOf({ table, size: all }: TermHashes): Words {
  const sorted = table.slice(0, all);
  sorted.sort();
  const hashes = new Uint32Array(sorted.length);
  const counts = new Uint8Array(sorted.length);
  let size = 0;
  for (let n = 0; n < sorted.length; n++) {
    const hash = sorted[n] as number;
    if (size > 0 && hashes[size - 1] === hash)
      counts[size - 1] = Math.min(MOST, (counts[size - 1] as number) + 1);
    else {
      hashes[size] = hash;
      counts[size++] = 1;
    }
  }
  return { hashes: hashes.subarray(0, size), counts: counts.subarray(0, size), total: sorted.length };
}

/** Encodes the body of a document's segment. The headings above a chunk count as its words. Takes linear time. */
export function encodeBody(text: string, chunks: readonly Chunk[]): Uint8Array {
  const headings = new Map<string, TermHashes>();
  const own = noHashes();
  const entries = noEntries(Math.ceil(text.length / 4));
  const writer = byteWriter(64 + chunks.length * 3);
  for (const number of [FORMAT, ANALYSIS, chunks.length]) writeNumber(writer, number);
  for (const [n, chunk] of chunks.entries()) {
    const path = chunk.headings.join('\n');
    const above = headings.get(path) ?? hashesOf(path);
    headings.set(path, above);
    copyHashes(own, above);
    addHashes(own, text.slice(chunk.start, chunk.end));
    writeNumber(writer, own.size);
    addEntries(entries, own, n);
  }
  writeTerms(writer, sortByHash(entries), chunks.length === 1);
  return written(writer);
}

/**
 * Writes the terms with their postings. Each entry is one occurrence of a word: its hash and the number of its chunk.
 */
function writeTerms(writer: ByteWriter, { hashes, payloads, size }: Entries, isSingle: boolean): void {
  const distances = byteWriter(size * 4 + 8);
  const postings = byteWriter(size * 3 + 8);
  let terms = 0;
  let all = 0;
  for (let n = 0, end = 0, last = 0; n < size; n = end) {
    const hash = hashes[n] as number;
    for (end = n + 1; end < size && hashes[end] === hash; ) end++;
    writeNumber(distances, hash - last);
    last = hash;
    terms++;
    if (isSingle) {
      writeNumber(postings, Math.min(MOST, end - n));
      all++;
    } else all += writePostings(postings, payloads, n, end);
  }
  for (const number of [terms, all, distances.at]) writeNumber(writer, number);
  writeBytes(writer, distances.bytes.subarray(0, distances.at));
  writeBytes(writer, postings.bytes.subarray(0, postings.at));
}

/** Writes the sorted chunk numbers in [from, to) as postings. Returns the number of distinct chunks. */
function writePostings(writer: ByteWriter, chunks: Uint32Array, from: number, to: number): number {
  let different = 1;
  for (let n = from + 1; n < to; n++) if (chunks[n] !== chunks[n - 1]) different++;
  writeNumber(writer, different);
  for (let n = from, end = 0, last = 0; n < to; n = end) {
    const chunk = chunks[n] as number;
    for (end = n + 1; end < to && chunks[end] === chunk; ) end++;
    const count = Math.min(MOST, end - n);
    writeNumber(writer, ((chunk - last) << 1) | (count > 1 ? 1 : 0));
    if (count > 1) writeNumber(writer, count);
    last = chunk;
  }
  return different;
}

/** Prepends the title to a segment body. */
export function withTitle(title: string, body: Uint8Array): Uint8Array {
  const { hashes, counts } = wordsOf(hashesOf(title));
  const writer = byteWriter(16 + hashes.length * 6 + body.length);
  writeNumber(writer, hashes.length);
  for (let n = 0, last = 0; n < hashes.length; n++) {
    const hash = hashes[n] as number;
    writeNumber(writer, hash - last);
    writeNumber(writer, counts[n] as number);
    last = hash;
  }
  writeBytes(writer, body);
  return written(writer);
}

/** Sizes of a segment, and byte offsets into it. */
export interface SegmentLayout {
  titleTerms: number;
  titleAt: number;
  titleWords: number;
  analysis: number;
  chunks: number;
  lengthsAt: number;
  terms: number;
  postings: number;
  hashesAt: number;
  postingsAt: number;
}

export function readLayout(bytes: Uint8Array): SegmentLayout {
  const reader = { bytes, at: 0 };
  const titleTerms = readNumber(reader);
  const titleAt = reader.at;
  let titleWords = 0;
  for (let n = 0; n < titleTerms; n++) {
    readNumber(reader);
    titleWords += readNumber(reader);
  }
  return { titleTerms, titleAt, titleWords, ...readHead(reader) };
}

function readHead(reader: ByteReader) {
  const format = readNumber(reader);
  if (format !== FORMAT) throw new RangeError(`a segment has the unknown format ${format}`);
  const analysis = readNumber(reader);
  const chunks = readNumber(reader);
  const lengthsAt = reader.at;
  // Each length takes at least one byte, so a larger number means a damaged segment.
  if (chunks > reader.bytes.length) throw new RangeError('a segment is damaged');
  for (let n = 0; n < chunks; n++) readNumber(reader);
  const terms = readNumber(reader);
  const postings = readNumber(reader);
  const hashBytes = readNumber(reader);
  return {
    analysis,
    chunks,
    lengthsAt,
    terms,
    postings,
    hashesAt: reader.at,
    postingsAt: reader.at + hashBytes,
  };
}

/**
 * Checks that the bytes are a valid body for this number of chunks and this analyser version. A worker may run
 * another version, and a hostile file may have taken control of it.
 */
export function isBody(bytes: Uint8Array, chunks: number): boolean {
  try {
    const reader = { bytes, at: 0 };
    const head = readHead(reader);
    if (head.analysis !== ANALYSIS || head.chunks !== chunks || head.postingsAt > bytes.length) return false;
    return hashesAreInOrder(bytes, head) && postingsFit(bytes, head);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

type Head = ReturnType<typeof readHead>;

function hashesAreInOrder(bytes: Uint8Array, { terms, hashesAt, postingsAt }: Head): boolean {
  const reader = { bytes, at: hashesAt };
  let last = -1;
  for (let n = 0; n < terms; n++) {
    const distance = readNumber(reader);
    if (reader.at > postingsAt || (n > 0 && distance === 0)) return false;
    last = n === 0 ? distance : last + distance;
    if (last > 0xffffffff) return false;
  }
  return reader.at === postingsAt;
}

function postingsFit(bytes: Uint8Array, { terms, postings, chunks, postingsAt }: Head): boolean {
  const reader = { bytes, at: postingsAt };
  let all = 0;
  for (let n = 0; n < terms; n++) {
    const size = chunks === 1 ? 1 : readNumber(reader);
    if (size < 1 || size > chunks) return false;
    all += size;
    let chunk = 0;
    for (let k = 0; k < size; k++) {
      const first = readNumber(reader);
      const distance = chunks === 1 ? 0 : first >>> 1;
      const count = chunks === 1 ? first : (first & 1) === 0 ? 1 : readNumber(reader);
      chunk += distance;
      if (reader.at > bytes.length || chunk >= chunks || count < 1 || count > MOST) return false;
      if (k > 0 && distance === 0) return false;
    }
  }
  return reader.at === bytes.length && all === postings;
}
