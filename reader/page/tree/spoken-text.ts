import type { Attributes } from './attributes.js';
import { Hint } from './name-hints.js';

/** The columns of a page tree that are read here. */
interface Rows {
  tag: readonly string[];
  text: readonly string[];
  attributes: readonly Attributes[];
  hints: number[];
  end: readonly number[];
}

const MAX_ROWS = 20;

/**
 * Shows numbers that a page has twice: in pieces for the eye, which screen readers skip, and as a text for screen readers
 * only. The text loses the hint that it is unseen.
 */
export function showSpokenNumbers({ tag, text, attributes, hints, end }: Rows): void {
  const digitsOf = (row: number): string => {
    const last = Math.min(end[row] ?? row, row + MAX_ROWS);
    let digits = '';
    for (let at = row + 1; at < last; at++) digits += (text[at] ?? '').replace(/\D/g, '');
    return digits;
  };
  const isUnseen = (row: number): boolean => ((hints[row] ?? 0) & Hint.unseen) !== 0;
  const isSilent = (row: number): boolean => attributes[row]?.['aria-hidden'] === 'true';
  for (let row = 1; row < tag.length; row++) {
    if (!isUnseen(row) && !isSilent(row)) continue;
    let next = end[row] ?? row + 1;
    if (tag[next] === '' && (text[next] ?? '').trim() === '') next++;
    const spoken = isUnseen(row) && isSilent(next) ? row : isSilent(row) && isUnseen(next) ? next : 0;
    if (spoken === 0) continue;
    const digits = digitsOf(row);
    if (digits !== '' && digits === digitsOf(next)) hints[spoken] = (hints[spoken] ?? 0) & ~Hint.unseen;
  }
}
