import { linesOf } from '../../../forms/values.js';

/** The properties of a good answer as typed, one entry per line. */
export interface Expected {
  /** A line may hold alternatives, separated by `|`. */
  answer: string;
  /** Titles of the expected sources. */
  source: string;
  unanswerable: boolean;
}

export const nothingExpected: Expected = { answer: '', source: '', unanswerable: false };

/** Converts the entries for the API. Without titles, the API chooses the sources. */
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
