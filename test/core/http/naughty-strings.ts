import { corpusMissing, corpusTable } from '../../support/corpus/table.js';

const own = [
  ...[
    "Robert'); DROP TABLE agents;--",
    '\\',
    '\\\\',
    "\\'",
    '%s ? :name $1 ??',
    '\u0024{x}',
    '"',
    "'",
    '`',
    'null',
    '?',
  ],
  ...[
    '\u{1F468}\u{200D}\u{1F469}',
    '\u0001\u007f',
    'a\u0301',
    'ﬃ',
    'ß',
    '\u202Eabc',
    'é\u00a0',
    'x '.repeat(90),
    '\u{10FFFF}',
  ],
];

/** Strings that break careless code: ours, and those of the corpus if it is present. */
export const naughtyStrings: readonly string[] = corpusMissing
  ? own
  : [...own, ...corpusTable<{ strings: string[] }>('strings/naughty-strings.json').strings];

export const pieces = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size));

/** In Unicode code points. */
export const lengthOf = (text: string): number => [...text].length;
