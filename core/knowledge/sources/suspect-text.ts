/** Texts of a page, before and after it was fetched again. */
interface PageText {
  title: string;
  text: string;
}

/** A shorter text says too little to be compared. */
const MIN_CHARS = 200;
/** Compares the beginnings of longer texts, so that the time is bounded. */
const MAX_CHARS = 20_000;
const SHINGLE_CHARS = 6;
/** Share of common shingles below which two texts have nothing to do with each other. Two texts of one language share some. */
const UNLIKE = 0.25;
/** A text with this share has been edited, not replaced. */
const ALIKE = 0.5;
/** Shares of the length before, below which an unlike text, and any text, is suspect. */
const MUCH_SHORTER = 0.6;
const ALMOST_GONE = 0.1;
const MIN_CHARS_GONE = 1_000;

/** Returns letters and digits in lower case, with single blanks between words. */
const folded = (text: string): string =>
  text
    .slice(0, MAX_CHARS)
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, ' ')
    .trim();

function shinglesOf(text: string): Set<string> {
  const shingles = new Set<string>();
  for (let at = 0; at + SHINGLE_CHARS <= text.length; at += 1)
    shingles.add(text.slice(at, at + SHINGLE_CHARS));
  return shingles;
}

/** Returns the share of the smaller text's shingles that the other one has, too: from 0 to 1. */
function likeness(before: string, after: string): number {
  const [one, other] = [shinglesOf(folded(before)), shinglesOf(folded(after))];
  const [small, large] = one.size < other.size ? [one, other] : [other, one];
  let common = 0;
  for (const shingle of small) if (large.has(shingle)) common += 1;
  return small.size === 0 ? 0 : common / small.size;
}

/**
 * Returns whether a new text is probably not that of the page: it has almost nothing in common with the text before, and is much
 * shorter or has another title; or almost all of the text is gone.
 */
export function differsMuch(before: PageText, after: PageText): boolean {
  const length = before.text.length;
  if (length < MIN_CHARS) return false;
  if (length >= MIN_CHARS_GONE && after.text.length < ALMOST_GONE * length) return true;
  const isOther = after.text.length < MUCH_SHORTER * length || folded(before.title) !== folded(after.title);
  return isOther && likeness(before.text, after.text) < UNLIKE;
}

/** Returns whether a new text is a newer version of the one before. */
export const isNewVersion = (before: string, after: string): boolean => likeness(before, after) >= ALIKE;
