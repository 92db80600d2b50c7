/**
 * Phrases by language (BCP 47). Each is a part of a regular expression without anchors or capturing. To
 * support more phrases, add lines.
 */
export type Phrases = Readonly<Record<string, readonly string[]>>;

/** Template tag: one phrase per line, taken literally. */
export const lines = ({ raw }: TemplateStringsArray): readonly string[] =>
  raw
    .join('')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const groups = /(?<!\\)\((?!\?)/g;

/** Joins all phrases to one alternation, in their order. */
export const oneOf = (phrases: Phrases): string =>
  `(?:${Object.values(phrases).flat().join('|').replace(groups, '(?:')})`;
