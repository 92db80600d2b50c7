/**
 * Phrases by language (BCP 47). Each phrase is part of a regular expression, without anchors or capturing groups. To
 * support more phrases, add lines.
 */
export type Phrases = Readonly<Record<string, readonly string[]>>;

/** Template tag for one phrase per line. Backslashes are kept. */
export const lines = ({ raw }: TemplateStringsArray): readonly string[] =>
  raw
    .join('')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const groups = /(?<!\\)\((?!\?)/g;

/** Joins all phrases into one alternation, in order. */
export const oneOf = (phrases: Phrases): string =>
  `(?:${Object.values(phrases).flat().join('|').replace(groups, '(?:')})`;
