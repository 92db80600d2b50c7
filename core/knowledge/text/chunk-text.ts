import type { Chunk } from '../../tasks/wire.js';
import { CHUNK_MAX, CHUNK_TARGET, type Piece, piecesOf } from './chunk-pieces.js';
import { titleOfContinued } from './continued-structure.js';
import type { Notation } from './notation.js';
import { type Block, blocksOf } from './text-blocks.js';

/** Minimum weight of a chunk. A smaller chunk is extended by the next piece if both fit into CHUNK_MAX. */
const CHUNK_MIN = 300;
/** Maximum number of introducing lines that move from the end of a chunk to the next chunk. */
const MAX_LEADS = 3;

/** A chunk with its position in code points, the unit of clients and databases. */
export type PlacedChunk = Chunk & Required<Pick<Chunk, 'at' | 'size'>>;

/** A piece with the size and weight of the text before it. */
interface PlacedPiece extends Piece {
  at: number;
  weightBefore: number;
}

interface Run {
  pieces: PlacedPiece[];
  headings: string[];
  /** Header or introduction of the table or list that began in an earlier run. */
  continues: string | null;
}

const emptyRun = (continues: string | null = null): Run => ({ pieces: [], headings: [], continues });

/**
 * Divides a text for retrieval: by headings, then paragraphs, sentences and words. Fenced code and table rows stay
 * together if they fit. A heading, an announcement or a term stays with the text that follows. Chunks are ordered, do
 * not overlap, and cover everything except white space. If a table or list spans several chunks, its header or
 * introduction becomes the innermost heading of the later ones. Deterministic; takes linear time.
 */
export function chunkText(text: string, notation: Notation = 'markdown'): PlacedChunk[] {
  const chunks: PlacedChunk[] = [];
  const path: { level: number; title: string }[] = [];
  let closed: Run | null = null;
  let open = emptyRun();
  let last: PlacedPiece | null = null;
  let titles: string[] = [];

  const close = (): void => {
    if (open.pieces.length === 0) return;
    if (closed !== null) chunks.push(chunkOf(closed));
    closed = open;
    open = emptyRun();
  };
  const add = (piece: Piece): void => {
    last = placedAfter(last, piece);
    if (open.pieces.length > 0 && !fits(open.pieces, last)) {
      const { pieces, continues } = open;
      const from = pieces[0]?.start ?? 0;
      const leads = takeLeads(pieces, last);
      close();
      open.pieces.push(...leads);
      if (leads.length === 0) open.continues = titleOfContinued(text, from, last.start, continues);
    }
    open.pieces.push(last);
    open.headings = titles;
  };

  for (const [block, next] of withNext(blocksOf(text, notation))) {
    if (block.kind === 'heading') {
      // A section starts a new chunk, but a heading without text shares the chunk of the next section.
      if (!isOutline(open.pieces)) close();
      while ((path.at(-1)?.level ?? 0) >= block.level) path.pop();
      path.push({ level: block.level, title: block.title });
      titles = path.map(({ title }) => title);
    }
    const lead = open.pieces.at(-1);
    const before = lead?.isLead === true ? lead.weight + block.start - lead.end : 0;
    const isFollowed = next !== null && next.kind !== 'heading';
    for (const piece of piecesOf(text, block, { before, isFollowed })) add(piece);
  }
  if (closed !== null && isOutline(open.pieces)) {
    const [above, below] = reunited(closed, open);
    closed = above;
    open = below;
  }
  close();
  if (closed !== null) chunks.push(chunkOf(closed));
  return chunks;
}

function* withNext(blocks: Iterable<Block>): Generator<[Block, Block | null]> {
  let held: Block | null = null;
  for (const block of blocks) {
    if (held !== null) yield [held, block];
    held = block;
  }
  if (held !== null) yield [held, null];
}

/**
 * Computes the position of a piece. Between two pieces is only white space, whose characters are one UTF-16 unit and
 * weigh 1 each.
 */
function placedAfter(before: PlacedPiece | null, piece: Piece): PlacedPiece {
  const { start, end, size, weight, isHeading, isLead } = piece;
  const gap = start - (before?.end ?? 0);
  // No object spread: this runs for each sentence, and a spread would dominate the cost.
  return {
    start,
    end,
    size,
    weight,
    isHeading,
    isLead,
    at: (before?.at ?? 0) + (before?.size ?? 0) + gap,
    weightBefore: (before?.weightBefore ?? 0) + (before?.weight ?? 0) + gap,
  };
}

const isOutline = (pieces: readonly PlacedPiece[]): boolean => pieces.every(({ isHeading }) => isHeading);

/** Weight from the start of one piece to the end of another. */
const weightFrom = (first: PlacedPiece | undefined, last: PlacedPiece): number =>
  last.weightBefore + last.weight - (first?.weightBefore ?? 0);

function fits(pieces: readonly PlacedPiece[], next: PlacedPiece): boolean {
  const own = weightFrom(pieces[0], pieces.at(-1) ?? next);
  const limit = own < CHUNK_MIN || isOutline(pieces) ? CHUNK_MAX : CHUNK_TARGET;
  return weightFrom(pieces[0], next) <= limit;
}

/** Removes and returns the last pieces that introduce `next`, unless only headings would remain. */
function takeLeads(pieces: PlacedPiece[], next: PlacedPiece): PlacedPiece[] {
  const wasOutline = isOutline(pieces);
  let from = pieces.length;
  while (
    from > 1 &&
    pieces.length - from < MAX_LEADS &&
    pieces[from - 1]?.isLead === true &&
    weightFrom(pieces[from - 1], next) <= CHUNK_MAX
  )
    from--;
  return wasOutline || !isOutline(pieces.slice(0, from)) ? pieces.splice(from) : [];
}

/**
 * Joins trailing headings without text with the run above them: with the whole run, or with its last piece. Returns
 * the two new runs.
 */
function reunited(above: Run, headings: Run): [Run | null, Run] {
  const last = headings.pieces.at(-1);
  if (last === undefined) return [above, headings];
  const isAll = weightFrom(above.pieces[0], last) <= CHUNK_MAX;
  const isOne = above.pieces.length > 1 && weightFrom(above.pieces.at(-1), last) <= CHUNK_MAX;
  const taken = isAll ? above.pieces.splice(0) : isOne ? above.pieces.splice(-1) : [];
  if (taken.length === 0) return [above, headings];
  const { headings: path, continues } = above;
  const below = {
    pieces: [...taken, ...headings.pieces],
    headings: path,
    continues: isAll ? continues : null,
  };
  return [isAll ? null : above, below];
}

function chunkOf({ pieces, headings, continues }: Run): PlacedChunk {
  const [first, last] = [pieces[0], pieces.at(-1)];
  if (first === undefined || last === undefined) throw new RangeError('a chunk without pieces');
  const { start, at } = first;
  const path = continues === null ? headings : [...headings, continues];
  return { start, end: last.end, at, size: last.at + last.size - at, headings: path };
}
