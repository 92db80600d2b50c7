import { oneOf, type Phrases } from './phrases.js';

/** Words of class names, ids and roles with one meaning. */
export interface NameWords {
  /** Matched anywhere in a name. */
  among?: Phrases;
  /** Matched only as the whole name. */
  alone?: Phrases;
}

/** Builds a pattern for names whose words are surrounded by single blanks. */
export function patternOf({ among, alone }: NameWords): RegExp {
  const parts = [
    ...(among === undefined ? [] : [` ${oneOf(among)} `]),
    ...(alone === undefined ? [] : [`^ ${oneOf(alone)} $`]),
  ];
  return new RegExp(parts.join('|'));
}
