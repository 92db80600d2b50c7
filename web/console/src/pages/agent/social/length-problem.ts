import { count } from '../../../parts/numbers.js';

/** Returns the problem with the length of a text, or null. Ignores leading and trailing white space. */
export function lengthProblem(what: string, text: string, max: number): string | null {
  const length = [...text.trim()].length;
  if (length === 0) return `Enter ${what}.`;
  return length > max ? `Use at most ${count(max)} characters. You entered ${count(length)}.` : null;
}
