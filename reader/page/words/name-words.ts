import { oneOf, type Phrases } from './phrases.js';

/** Words in class names, ids and roles that have the same meaning. */
export interface NameWords {
  /** Words that may be anywhere in a name. */
  among?: Phrases;
  /** Words that must be the whole name. */
  alone?: Phrases;
}

/** Returns a pattern for names whose words are surrounded by single blanks. */
export function patternOf({ among, alone }: NameWords): RegExp {
  const parts = [
    ...(among === undefined ? [] : [` ${oneOf(among)} `]),
    ...(alone === undefined ? [] : [`^ ${oneOf(alone)} $`]),
  ];
  return new RegExp(parts.join('|'));
}
