import { type IndexPart, livePart } from './index-part.js';
import { addPosting, openTerm, type PostingList, postingList, tablesOf } from './posting-list.js';

const DEAD = 0xffffffff;

/** Joins the live documents of two parts. Linear in the size of both. */
export function joinParts(first: IndexPart, second: IndexPart): IndexPart {
  const documents = [...livingOf(first), ...livingOf(second)];
  const lengths = new Uint32Array(first.liveChunks + second.liveChunks);
  const firstChunks = new Uint32Array(documents.length + 1);
  const places = { chunk: 0, document: 0 };
  const places1 = movedChunks(first, places, lengths, firstChunks);
  const places2 = movedChunks(second, places, lengths, firstChunks);

  const list = postingList(first.chunks.length + second.chunks.length);
  let a = 0;
  let b = 0;
  while (a < first.hashes.length || b < second.hashes.length) {
    const hashA = first.hashes[a] ?? Number.POSITIVE_INFINITY;
    const hashB = second.hashes[b] ?? Number.POSITIVE_INFINITY;
    const before = list.postings;
    openTerm(list, Math.min(hashA, hashB));
    if (hashA <= hashB) copyPostings(list, first, a++, places1);
    if (hashB <= hashA) copyPostings(list, second, b++, places2);
    // Drop a term whose documents are all dead.
    if (list.postings === before) list.terms -= 1;
  }
  return livePart({ documents, firstChunks, lengths, ...tablesOf(list) });
}

const livingOf = ({ documents, dead }: IndexPart) => documents.filter((_, n) => dead[n] === 0);

/** Returns the new number of each chunk, and fills `lengths` and `firstChunks` for live documents. */
function movedChunks(
  part: IndexPart,
  places: { chunk: number; document: number },
  lengths: Uint32Array,
  firstChunks: Uint32Array,
): Uint32Array {
  const moved = new Uint32Array(part.lengths.length).fill(DEAD);
  for (let document = 0; document < part.documents.length; document++) {
    if (part.dead[document] === 1) continue;
    const end = part.firstChunks[document + 1] as number;
    for (let chunk = part.firstChunks[document] as number; chunk < end; chunk++) {
      lengths[places.chunk] = part.lengths[chunk] as number;
      moved[chunk] = places.chunk++;
    }
    firstChunks[++places.document] = places.chunk;
  }
  return moved;
}

function copyPostings(list: PostingList, part: IndexPart, term: number, moved: Uint32Array): void {
  const end = part.firstPostings[term + 1] as number;
  for (let n = part.firstPostings[term] as number; n < end; n++) {
    const chunk = moved[part.chunks[n] as number] as number;
    if (chunk !== DEAD) addPosting(list, chunk, part.counts[n] as number);
  }
}
