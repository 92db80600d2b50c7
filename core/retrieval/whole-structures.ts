import { type Structure, structuresOf } from '../knowledge/text/text-structure.js';
import type { ChunkRange, Excerpt, ExcerptReads } from '../ports/store/knowledge/excerpts.js';

/** Number of passages that are completed. Each may need another read. */
const EXTENDED = 3;

const closingFence = /\n[ \t]*(?:`{3,}|~{3,})[ \t]*$/;

/**
 * Extends the best excerpts into adjacent chunks, so that no list, table or code block is cut at their edges. Does
 * not add chunks that another excerpt contains. If a document has just changed, its excerpt is returned unchanged.
 */
export async function withWholeStructures<T extends { excerpt: Excerpt }>(
  reads: Pick<ExcerptReads, 'excerpts'>,
  agentId: string,
  found: readonly T[],
): Promise<T[]> {
  const excerpts = found.map(({ excerpt }) => excerpt);
  const ranges = excerpts.slice(0, EXTENDED).flatMap((excerpt, n) => {
    const range = extendedRange(excerpt, excerpts);
    return range === null ? [] : [{ n, range }];
  });
  if (ranges.length === 0) return [...found];
  const read = await reads.excerpts(
    agentId,
    ranges.map(({ range }) => range),
  );
  return found.map((one, n) => {
    const wide = read[ranges.findIndex((range) => range.n === n)];
    return wide?.version === one.excerpt.version ? { ...one, excerpt: extended(one.excerpt, wide) } : one;
  });
}

/**
 * Returns the excerpt's range with the adjacent chunks that may complete a cut structure; null if no structure is
 * cut.
 */
function extendedRange(excerpt: Excerpt, all: readonly Excerpt[]): ChunkRange | null {
  const { documentId, text, first, last, isLast } = excerpt;
  const isHeld = (chunk: number): boolean =>
    all.some((other) => other.documentId === documentId && other.first <= chunk && chunk <= other.last);
  const structures = structuresOf(text);
  const begin = structures[0];
  const end = structures.at(-1);
  const isCutBefore = begin?.start === 0 && begin.lead === null && mayContinue(begin, text);
  const isCutAfter = end?.end === text.length && mayContinue(end, text);
  const from = isCutBefore && first > 0 && !isHeld(first - 1) ? first - 1 : first;
  const to = isCutAfter && !isLast && !isHeld(last + 1) ? last + 1 : last;
  return from === first && to === last ? null : { documentId, first: from, last: to };
}

/** Returns whether a structure at the edge of a text may continue beyond it. */
function mayContinue({ kind, start, end }: Structure, text: string): boolean {
  if (kind === 'paragraph') return false;
  return kind !== 'code' || !closingFence.test(text.slice(start, end));
}

/** Extends an excerpt to the ends of the structures that it cuts, if they end within the adjacent chunks. */
function extended(excerpt: Excerpt, wide: Excerpt): Excerpt {
  const from = unitsOf(wide.text, excerpt.start - wide.start);
  const to = from + excerpt.text.length;
  const structures = structuresOf(wide.text, wide.headings);
  const cutBefore = structures.find(
    ({ start, end }) => start < from && from < end && (start > 0 || wide.first === 0),
  );
  const cutAfter = structures.find(
    (one) =>
      one.start < to &&
      to < one.end &&
      (one.end < wide.text.length || wide.isLast || !mayContinue(one, wide.text)),
  );
  const start = cutBefore === undefined ? from : (cutBefore.lead?.start ?? cutBefore.start);
  const text = wide.text.slice(start, cutAfter?.end ?? to);
  const at = wide.start + codePointsOf(wide.text.slice(0, start));
  const headings = cutBefore === undefined ? excerpt.headings : cutBefore.headings;
  return { ...excerpt, headings, start: at, end: at + codePointsOf(text), text };
}

function codePointsOf(text: string): number {
  let count = 0;
  for (const _ of text) count++;
  return count;
}

/** Converts a number of code points at the start of a text to UTF-16 units. */
function unitsOf(text: string, codePoints: number): number {
  let units = 0;
  let left = codePoints;
  for (const character of text) {
    if (left-- === 0) break;
    units += character.length;
  }
  return units;
}
