import type { Piece } from './piece.js';

/** Largest size of shifted text, as a share of the line's letter height. */
const MAX_SIZE = 0.85;
/** Distance from the line, in letter heights. */
const MIN_SHIFT = 0.08;
const MAX_SHIFT = 0.7;
/** A shifted piece touches the letters before it, or at the start of a line those after it. In letter heights. */
const MAX_GAP = 0.2;

/** Returns for each piece of a line in reading order whether it is a superscript or subscript. */
export function shiftsOf(pieces: readonly Piece[]): ('super' | 'sub' | null)[] {
  const line = usual(pieces);
  return pieces.map((piece, i) => {
    if (piece.size > MAX_SIZE * line.size) return null;
    const shift = (piece.v - line.v) / line.size;
    if (Math.abs(shift) < MIN_SHIFT || Math.abs(shift) > MAX_SHIFT) return null;
    const before = pieces[i - 1];
    const after = pieces[i + 1];
    const touches = before ? isNear(before, piece, line.size) : after && isNear(piece, after, line.size);
    // Letters within a word are an ornament, such as the raised A of LaTeX.
    const isInWord =
      after &&
      after.size > MAX_SIZE * line.size &&
      /^\p{L}+$/u.test(piece.text) &&
      /^\p{L}/u.test(after.text) &&
      isNear(piece, after, line.size);
    return touches && !isInWord ? (shift > 0 ? 'super' : 'sub') : null;
  });
}

const isNear = (one: Piece, next: Piece, size: number): boolean =>
  Math.max(next.start - one.end, one.start - next.end) <= MAX_GAP * size;

/** Returns size and baseline of most letters. */
function usual(pieces: readonly Piece[]): { size: number; v: number } {
  const groups = new Map<string, { chars: number; size: number; v: number }>();
  for (const { text, size, v } of pieces) {
    const key = `${size.toFixed(1)} ${v.toFixed(1)}`;
    const group = groups.get(key) ?? { chars: 0, size, v };
    group.chars += text.trim().length;
    groups.set(key, group);
  }
  return [...groups.values()].reduce(
    (most, group) =>
      group.chars > most.chars || (group.chars === most.chars && group.size > most.size) ? group : most,
    { chars: 0, size: 0, v: 0 },
  );
}
