import { foldText } from '../analysis/fold-text.js';
import { asksFor } from './question-phrases.js';
import { termsOf } from './question-words.js';
import { TIME } from './value-kinds.js';

/** Returns whether a question asks for a time, day or date. */
export const asksForTime = (question: string): boolean => asksFor('time', question);

/** A Monday. */
const FIRST_DAY = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;
/** Minimum code points of a name in Latin script. Shorter names, such as "May", may be ordinary words. */
const LEAST_NAME = 4;

const timeTerms = new Map<string, readonly string[]>();

/** Returns terms that denote times in a language: the names of days and months, and `TIME` for numeric times. */
export function timeTermsIn(language: string): readonly string[] {
  const known = timeTerms.get(language);
  if (known !== undefined) return known;
  // Format the month with a day: some languages use another form of the name than for the month alone.
  const day = new Intl.DateTimeFormat(language, { weekday: 'long', timeZone: 'UTC' });
  const month = new Intl.DateTimeFormat(language, { day: 'numeric', month: 'long', timeZone: 'UTC' });
  const parts = [
    ...Array.from({ length: 7 }, (_, n) => day.formatToParts(FIRST_DAY + n * DAY_MS)),
    ...Array.from({ length: 12 }, (_, n) => month.formatToParts(Date.UTC(2024, n))),
  ].flat();
  const names = parts
    .filter(({ type, value }) => type === 'weekday' || (type === 'month' && /\p{L}/u.test(value)))
    .map(({ value }) => foldText(value))
    .filter((name) => [...name].length >= LEAST_NAME || !/\p{Script=Latin}/u.test(name));
  const terms = [TIME, ...new Set(names.flatMap(termsOf))];
  timeTerms.set(language, terms);
  return terms;
}
