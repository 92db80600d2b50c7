/** Length of a range in code points, the unit of clients and databases, and its weight by information content. */
export interface TextSize {
  size: number;
  /** Equivalent number of letters of an alphabet. */
  weight: number;
}

/** Weight of a Han, Kana or Hangul character, which carries about as much information as two letters. */
const WIDE = 2;
/** Maximum weight of a UTF-16 unit. */
export const HEAVIEST = WIDE;
/** Minimum weight of a UTF-16 unit: two of them may form one character. */
export const LIGHTEST = 0.5;

/** Every character below this code is one UTF-16 unit and weighs 1. */
const WIDE_FROM = 0x3040;

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/** Returns the number of UTF-16 units of the character at a position. */
export function unitsAt(text: string, at: number): number {
  return isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1)) ? 2 : 1;
}

/**
 * Returns the weight of the character that starts with this UTF-16 unit. Planes 2 and 3 (high surrogates D840 to
 * D8FF) are Han.
 */
export function weightOf(unit: number): number {
  if (unit < WIDE_FROM) return 1;
  const isWide =
    unit <= 0x9fff ||
    (unit >= 0xac00 && unit <= 0xd7a3) ||
    (unit >= 0xd840 && unit <= 0xd8ff) ||
    (unit >= 0xf900 && unit <= 0xfaff);
  return isWide ? WIDE : 1;
}

export function sizeOf(text: string, start: number, end: number): TextSize {
  // Fast path: nearly all characters are one unit and weigh 1, so only the exceptions are corrected.
  let size = end - start;
  let weight = size;
  for (let at = start; at < end; at++) {
    const unit = text.charCodeAt(at);
    if (unit < WIDE_FROM) continue;
    weight += weightOf(unit) - 1;
    if (unitsAt(text, at) === 2 && ++at < end) {
      size--;
      weight--;
    }
  }
  return { size, weight };
}
