import { endOfPhrase, isBlank, trimmed } from './sentences.js';
import type { Block } from './text-blocks.js';
import { HEAVIEST, LIGHTEST, sizeOf, type TextSize, unitsAt, weightOf } from './text-size.js';

/**
 * Target and maximum weight of a chunk (see text-size.ts). A chunk ends before the piece that would exceed the
 * target.
 */
export const CHUNK_TARGET = 1_200;
export const CHUNK_MAX = 2_000;
const MAX_ANNOUNCEMENT = 200;
const MAX_SHORT_LINE = 80;

/** An indivisible range of a text. */
export interface Piece extends TextSize {
  start: number;
  end: number;
  isHeading: boolean;
  /** Whether it introduces the text that follows, so that both must be in the same chunk. */
  isLead: boolean;
}

/** Context of a block. */
interface Surroundings {
  /** Weight of the lead before the block. The lead and the first piece must fit into one chunk. */
  before: number;
  /** Whether another block follows, which the last line may introduce. */
  isFollowed: boolean;
}

/**
 * Divides a block into pieces: the whole block if it fits into a chunk, otherwise its sentences or lines, otherwise
 * words.
 */
export function* piecesOf(
  text: string,
  block: Block,
  { before, isFollowed }: Surroundings,
): Generator<Piece> {
  const { start, end, kind } = block;
  if (kind === 'heading') {
    yield { start, end, ...sizeOf(text, start, end), isHeading: true, isLead: true };
    return;
  }
  const isText = kind === 'text';
  const room = CHUNK_MAX - before;
  const whole = Math.min(isText ? CHUNK_TARGET : CHUNK_MAX, room);
  if ((end - start) * LIGHTEST <= whole && sizeOf(text, start, end).weight <= whole) {
    yield* isText && isFollowed ? withLastLineApart(text, block) : [pieceOf(text, start, end)];
    return;
  }
  const next = isText ? endOfPhrase : endOfLine;
  let left = room;
  for (let at = start; at < end; ) {
    const stop = next(text, at, end);
    const [first, last] = trimmed(text, at, stop);
    at = stop;
    if (last === first) continue;
    if ((last - first) * HEAVIEST <= left) {
      const piece = pieceOf(text, first, last);
      piece.isLead = isText && (stop < end || isFollowed) && leads(text, piece, stop, block);
      yield piece;
    } else
      for (const piece of withinMax(text, first, last, left)) {
        const isWhole = piece.start === first && piece.end === last;
        const mayLead = isText && isWhole && (stop < end || isFollowed);
        yield mayLead ? { ...piece, isLead: leads(text, piece, stop, block) } : piece;
      }
    left = CHUNK_MAX;
  }
}

function pieceOf(text: string, start: number, end: number): Piece {
  const { size, weight } = sizeOf(text, start, end);
  return { start, end, size, weight, isHeading: false, isLead: false };
}

/** Yields the last line as a piece of its own if it introduces the text that follows. */
function* withLastLineApart(text: string, block: Block): Generator<Piece> {
  const newline = text.lastIndexOf('\n', block.end - 1);
  const [first, last] = trimmed(text, Math.max(newline, block.start), block.end);
  const line = pieceOf(text, first, last);
  const [, end] = trimmed(text, block.start, first);
  if (!leads(text, line, block.end, block)) yield pieceOf(text, block.start, block.end);
  else {
    if (end > block.start) yield pieceOf(text, block.start, end);
    yield { ...line, isLead: true };
  }
}

/**
 * Returns whether a line introduces the text after it: an announcement, a term above its definition, a question, or a
 * title without markup.
 */
function leads(text: string, { start, end, weight }: Piece, stop: number, block: Block): boolean {
  if (weight > MAX_ANNOUNCEMENT || (stop < block.end && text.charAt(stop - 1) !== '\n')) return false;
  const line = text.slice(start, end).replace(/[*_]+$/, '');
  if (/[:：]$/.test(line) || /^\s*:\s/.test(text.slice(end, end + 10))) return true;
  return weight <= MAX_SHORT_LINE && mayBeTitle.test(line) && beginsParagraph(text, start, block.start);
}

/** Matches a line with a letter that does not end a sentence and is not a list item, quote or rule. */
const mayBeTitle = /^(?![-+•>]|\*\s|\d{1,3}[.)]\s).*\p{L}.*(?<![.!。！…۔।।።။។])$/u;

function beginsParagraph(text: string, start: number, blockStart: number): boolean {
  let newlines = 0;
  for (let at = start - 1; at >= blockStart && newlines < 2; at--) {
    const unit = text.charCodeAt(at);
    if (!isBlank(unit)) return false;
    if (unit === 10) newlines++;
  }
  return true;
}

function endOfLine(text: string, start: number, end: number): number {
  const newline = text.indexOf('\n', start);
  return newline < 0 || newline >= end ? end : newline + 1;
}

/**
 * Divides a text that may exceed a chunk, at white space if possible. `room` limits the weight of the first piece.
 */
function* withinMax(text: string, start: number, end: number, room: number): Generator<Piece> {
  let first = start;
  let limit = room;
  let weight = 0;
  let blank = -1;
  let weightAtBlank = 0;
  for (let at = start; at < end; ) {
    const unit = text.charCodeAt(at);
    const own = weightOf(unit);
    if (weight + own > limit) {
      const stop = blank > first ? blank : at;
      const [from, to] = trimmed(text, first, stop);
      if (to > from) yield pieceOf(text, from, to);
      weight = stop === at ? 0 : weight - weightAtBlank;
      limit = CHUNK_MAX;
      first = stop;
      blank = -1;
    }
    if (isBlank(unit)) {
      blank = at;
      weightAtBlank = weight;
    }
    at += unitsAt(text, at);
    weight += own;
  }
  const [from, to] = trimmed(text, first, end);
  if (to > from) yield pieceOf(text, from, to);
}
