/** Number of characters to check. */
const SAMPLE = 1_500;
/** Minimum number of characters in a sample. */
const MIN_SIGNS = 80;
/** Maximum share of characters that no script uses, and minimum share of letters and digits. */
const MAX_STRANGE = 0.3;
const MIN_LETTERS = 0.25;

const strange = /[\p{Co}\p{Cn}\ufffd]/gu;
/** Characters used to draw rules and leaders. */
const drawn = /[\s\p{Pd}.·…_=*~|+#\u2500-\u259f]/gu;
/** Includes Braille. */
const letters = /[\p{L}\p{M}\p{N}\u2800-\u28ff]/gu;

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Returns whether most characters are letters, digits or their punctuation. */
export function looksWritten(text: string): boolean {
  const sample = text.slice(0, SAMPLE);
  // Fast path for most texts.
  if (sample.replace(/[^a-z\d]+/gi, '').length > 0.5 * sample.length) return true;
  const signs = sample.replace(drawn, '');
  if (signs.length < MIN_SIGNS) return true;
  if (countOf(signs, strange) > MAX_STRANGE * signs.length) return false;
  return countOf(signs, letters) >= MIN_LETTERS * signs.length;
}
