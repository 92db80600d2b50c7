import { oneOf, type Phrases } from './phrases.js';

/** Words of class names, ids and roles that tell one thing about an element. */
export interface NameWords {
  /** Anywhere in a name. */
  among?: Phrases;
  /** Only where they are the whole name. */
  alone?: Phrases;
}

/** What finds them in the words of a name, which stand apart by single blanks, also at both ends. */
export function patternOf({ among, alone }: NameWords): RegExp {
  const parts = [
    ...(among === undefined ? [] : [` ${oneOf(among)} `]),
    ...(alone === undefined ? [] : [`^ ${oneOf(alone)} $`]),
  ];
  return new RegExp(parts.join('|'));
}
