import { linesOf } from '../../../forms/values.js';

/** What a good answer has, as typed: one entry per line. */
export interface Expected {
  /** Alternatives of a line are separated by bars. */
  answer: string;
  /** Titles of sources. */
  source: string;
  unanswerable: boolean;
}

export const nothingExpected: Expected = { answer: '', source: '', unanswerable: false };

/** Converts the entries for the API. Without titles, the sources are left to it. */
export function expectationOf({ answer, source, unanswerable }: Expected): object {
  if (unanswerable) return { unanswerable, source: [] };
  const titles = linesOf(source).map((line) => line.trim());
  const groups = linesOf(answer).map((line) =>
    line
      .split('|')
      .map((text) => text.trim())
      .filter((text) => text !== ''),
  );
  return {
    answer: groups.filter((group) => group.length > 0),
    ...(titles.length > 0 ? { source: titles } : {}),
  };
}
