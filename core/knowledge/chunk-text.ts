import type { Chunk } from '../tasks/wire.js';
import { endOfSentence, isBlank, trimmed } from './sentences.js';

/** Sizes in Unicode code points. A chunk ends at the first good place after TARGET and never holds more than MAX. */
export const CHUNK_TARGET = 1_200;
export const CHUNK_MAX = 2_000;
/** A chunk smaller than this takes the next piece too, as long as both stay within MAX. */
const CHUNK_MIN = 300;
/** A longer line that starts with # is text. */
const MAX_HEADING_UNITS = 300;

type BlockKind = 'heading' | 'code' | 'table' | 'text';

interface Block {
  kind: BlockKind;
  start: number;
  end: number;
  /** Of headings: 1 to 6 and the title. */
  level: number;
  title: string;
}

/** A chunk with its place in code points, as readers and databases count. */
export type PlacedChunk = Chunk & Required<Pick<Chunk, 'at' | 'size'>>;

/** A stretch that is not divided any further. */
interface Piece {
  start: number;
  end: number;
  size: number;
}

/**
 * Divides a text for retrieval: by its Markdown headings, then by paragraphs, sentences, words. Fenced code and table
 * rows stay together where they fit. Chunks are in order, do not overlap and cover everything but white space; the same
 * text always gives the same chunks. Linear in the length of the text.
 */
export function chunkText(text: string): PlacedChunk[] {
  const chunks: PlacedChunk[] = [];
  const path: { level: number; title: string }[] = [];
  let open: Piece | null = null;
  let onlyHeadings = false;

  const flush = (): void => {
    if (open === null) return;
    const { start, end, size } = open;
    const last = chunks.at(-1) ?? { end: 0, at: 0, size: 0 };
    // Between two chunks is white space only, of which a code point is a unit.
    const at = last.at + last.size + start - last.end;
    chunks.push({ start, end, at, size, headings: path.map((heading) => heading.title) });
    open = null;
    onlyHeadings = false;
  };
  const add = (piece: Piece): void => {
    if (open !== null) {
      const size = countCodePoints(text, open.end, piece.start) + open.size + piece.size;
      const fits = onlyHeadings || open.size < CHUNK_MIN ? size <= CHUNK_MAX : size <= CHUNK_TARGET;
      if (fits) {
        open = { start: open.start, end: piece.end, size };
        return;
      }
      flush();
    }
    open = piece;
  };

  for (const block of blocksOf(text)) {
    if (block.kind === 'heading') {
      // an empty section keeps its own heading; a heading right below a higher one shares its chunk
      if (!onlyHeadings || (path.at(-1)?.level ?? 0) >= block.level) flush();
      while ((path.at(-1)?.level ?? 0) >= block.level) path.pop();
      path.push({ level: block.level, title: block.title });
      add({ start: block.start, end: block.end, size: countCodePoints(text, block.start, block.end) });
      onlyHeadings = true;
      continue;
    }
    for (const piece of piecesOf(text, block)) {
      add(piece);
      onlyHeadings = false;
    }
  }
  flush();
  return chunks;
}

const fenceLine = /^ {0,3}(`{3,}|~{3,})/;
const headingLine = /^ {0,3}(#{1,6})[ \t]+(\S.*)$/;

/** Structure of the text, line by line. Starts and ends leave white space out. */
function* blocksOf(text: string): Generator<Block> {
  let block: Block | null = null;
  let fence = '';
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline;
    const head = text.slice(start, Math.min(end, start + MAX_HEADING_UNITS + 1));
    const [first, last] = trimmed(text, start, end);
    if (fence !== '' && block !== null) {
      block.end = Math.max(block.end, last);
      if (closesFence(head, fence)) {
        yield block;
        block = null;
        fence = '';
      }
    } else {
      const kind = first === last ? null : kindOf(head);
      if (block !== null && (kind !== block.kind || kind === 'heading' || kind === 'code')) {
        yield block;
        block = null;
      }
      if (kind === 'code') fence = fenceLine.exec(head)?.[1] ?? '';
      if (kind !== null) {
        if (block === null) block = { kind, start: first, end: last, ...headingOf(kind, head) };
        else block.end = last;
      }
    }
    start = end + 1;
  }
  if (block !== null) yield block;
}

function kindOf(head: string): BlockKind {
  if (fenceLine.test(head)) return 'code';
  if (/^\s*\|/.test(head)) return 'table';
  return head.length <= MAX_HEADING_UNITS && headingLine.test(head) ? 'heading' : 'text';
}

function headingOf(kind: BlockKind, head: string): { level: number; title: string } {
  const match = kind === 'heading' ? headingLine.exec(head) : null;
  if (match === null) return { level: 0, title: '' };
  const title = (match[2] ?? '')
    .trim()
    .replace(/[ \t]#+$/, '')
    .trim();
  return { level: match[1]?.length ?? 1, title };
}

function closesFence(head: string, fence: string): boolean {
  const mark = /^ {0,3}(`{3,}|~{3,})\s*$/.exec(head)?.[1] ?? '';
  return mark[0] === fence[0] && mark.length >= fence.length;
}

function* piecesOf(text: string, block: Block): Generator<Piece> {
  const size = countCodePoints(text, block.start, block.end);
  const isWhole = block.kind === 'text' ? size <= CHUNK_TARGET : size <= CHUNK_MAX;
  if (isWhole) {
    yield { start: block.start, end: block.end, size };
    return;
  }
  const next = block.kind === 'text' ? endOfSentence : endOfLine;
  for (let start = block.start; start < block.end; ) {
    const stop = next(text, start, block.end);
    const [first, last] = trimmed(text, start, stop);
    if (last > first) yield* withinMax(text, first, last);
    start = stop;
  }
}

function endOfLine(text: string, start: number, end: number): number {
  const newline = text.indexOf('\n', start);
  return newline < 0 || newline >= end ? end : newline + 1;
}

/** Cuts what is too long for one chunk at white space, and where there is none between characters. */
function* withinMax(text: string, start: number, end: number): Generator<Piece> {
  let first = start;
  let size = 0;
  let blank = -1;
  let sizeAtBlank = 0;
  for (let i = start; i < end; ) {
    if (size === CHUNK_MAX) {
      const stop = blank > first ? blank : i;
      const [from, to] = trimmed(text, first, stop);
      if (to > from) yield { start: from, end: to, size: countCodePoints(text, from, to) };
      size = stop === i ? 0 : size - sizeAtBlank;
      first = stop;
      blank = -1;
    }
    if (isBlank(text.charCodeAt(i))) {
      blank = i;
      sizeAtBlank = size;
    }
    i += unitsAt(text, i);
    size++;
  }
  const [from, to] = trimmed(text, first, end);
  if (to > from) yield { start: from, end: to, size: countCodePoints(text, from, to) };
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

function unitsAt(text: string, at: number): number {
  return isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1)) ? 2 : 1;
}

function countCodePoints(text: string, start: number, end: number): number {
  let count = 0;
  for (let i = start; i < end; i += unitsAt(text, i)) count++;
  return count;
}
