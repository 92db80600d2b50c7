/**
 * Maximum length of a run of combining marks. No letter has more, and sorting the marks of a run takes quadratic time.
 */
const MOST_MARKS = 32;

/** Marks, and the two letters that NFKC turns into marks. */
const mark = '[\\p{M}\\uff9e\\uff9f]';
const surplus = new RegExp(`${mark}(?<=${mark}{${MOST_MARKS + 1}})`, 'gu');
const unitOfMark = /[\p{M}\p{Cs}\uff9e\uff9f]/u;

/** Returns whether the text may contain a longer run. Checks samples only; every longer run contains one of them. */
function mayHaveLongRun(text: string): boolean {
  for (let at = MOST_MARKS; at < text.length; at += MOST_MARKS + 1)
    if (text.charCodeAt(at) >= 0x300 && unitOfMark.test(text.charAt(at))) return true;
  return false;
}

/**
 * Returns the Unicode normal form of a text, without marks after the 32nd of a run, in linear time. Lint forbids
 * `normalize` elsewhere. Call this again if characters between marks were removed.
 */
export function normalForm(text: string, form: 'NFC' | 'NFD' | 'NFKC'): string {
  const bounded = mayHaveLongRun(text) ? text.replace(surplus, '') : text;
  // biome-ignore lint/plugin: the runs of marks are bounded
  return bounded.normalize(form);
}
