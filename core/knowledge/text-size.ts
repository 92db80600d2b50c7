/** How long a stretch is: in code points, as readers and databases count, and by what it may say. */
export interface TextSize {
  size: number;
  /** In letters of an alphabet. */
  weight: number;
}

/** A character of Han, Kana or Hangul says about as much as two letters. */
const WIDE = 2;
/** No unit weighs more. */
export const HEAVIEST = WIDE;
/** Nor less: two of them may be one character. */
export const LIGHTEST = 0.5;

/** All characters before this one are one unit, and weigh one. */
const WIDE_FROM = 0x3040;

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/** UTF-16 units of the character at a place. */
export function unitsAt(text: string, at: number): number {
  return isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1)) ? 2 : 1;
}

/** Weight of the character that begins with this unit. Above the basic plane, planes 2 and 3 are Han. */
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
  // Nearly all characters are one unit that weighs one: only others are looked at.
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
