/** Characters that are looked at. */
const SAMPLE = 1_500;
/** Fewer signs are no ground to judge. */
const FEWEST = 80;
/** Of all signs, these shares of characters that no writing uses, and of letters and digits. */
const MOST_STRANGE = 0.3;
const FEWEST_LETTERS = 0.25;

const strange = /[\p{Co}\p{Cn}\ufffd]/gu;
/** Rules and leaders are drawn with signs by the dozen. */
const drawn = /[\s\p{Pd}.·…_=*~|+#\u2500-\u259f]/gu;
/** Braille is writing. */
const letters = /[\p{L}\p{M}\p{N}\u2800-\u28ff]/gu;

const countOf = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;

/** Whether most signs of a text are those that words, numbers and their punctuation are written with. */
export function looksWritten(text: string): boolean {
  const sample = text.slice(0, SAMPLE);
  // most texts need no closer look
  if (sample.replace(/[^a-z\d]+/gi, '').length > 0.5 * sample.length) return true;
  const signs = sample.replace(drawn, '');
  if (signs.length < FEWEST) return true;
  if (countOf(signs, strange) > MOST_STRANGE * signs.length) return false;
  return countOf(signs, letters) >= FEWEST_LETTERS * signs.length;
}
