/**
 * Phrases by language (BCP 47). Each is a piece of a regular expression, without anchors, in which
 * parentheses only group. Data: to know more phrases, add lines.
 */
export type Phrases = Readonly<Record<string, readonly string[]>>;

/** Template tag: one phrase a line, taken as it is written. */
export const lines = ({ raw }: TemplateStringsArray): readonly string[] =>
  raw
    .join('')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const groups = /(?<!\\)\((?!\?)/g;

/** All phrases as one alternative of a pattern, in the order in which they are written. */
export const oneOf = (phrases: Phrases): string =>
  `(?:${Object.values(phrases).flat().join('|').replace(groups, '(?:')})`;
