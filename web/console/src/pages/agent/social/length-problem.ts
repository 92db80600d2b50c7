import { count } from '../../../parts/numbers.js';

/** Says what is wrong with the length of a text, or null. Surrounding white space does not count. */
export function lengthProblem(what: string, text: string, max: number): string | null {
  const length = [...text.trim()].length;
  if (length === 0) return `Enter ${what}.`;
  return length > max ? `Use at most ${count(max)} characters. It has ${count(length)}.` : null;
}
