import { foldText } from '../analysis/fold-text.js';
import { commonWords } from './common-words.js';

interface LanguageWords {
  language: string;
  /** In lower case, with accents. */
  written: ReadonlySet<string>;
  folded: ReadonlySet<string>;
}

const listed = (words: string): ReadonlySet<string> => new Set(words.split(/[\s'’-]+/));
const languages = Object.entries(commonWords).map(
  ([language, words]): LanguageWords => ({
    language,
    written: listed(words.toLowerCase()),
    folded: listed(foldText(words)),
  }),
);

export interface QuestionLanguages {
  /** Those with the largest number of common words in the question; empty if it contains none. */
  languages: string[];
  /** Whether the word, which is folded by `foldText`, is common in one of them. */
  isCommon(word: string): boolean;
}

/** Guesses the language of a question from its common words. Accents decide, because not everyone types them. */
export function languagesOf(words: readonly string[]): QuestionLanguages {
  const both = words.map((word) => ({ written: word.toLowerCase(), folded: foldText(word) }));
  const counts = languages.map(
    ({ written, folded }) =>
      both.filter((word) => folded.has(word.folded)).length +
      both.filter((word) => written.has(word.written)).length / 2,
  );
  const most = Math.max(1, ...counts);
  const guessed = languages.filter((_, n) => counts[n] === most);
  return {
    languages: guessed.map(({ language }) => language),
    isCommon: (word) => guessed.some(({ folded }) => folded.has(word)),
  };
}

/** Minimum code points of a common word that is recognised inside a text without spaces, by language. */
const leastUnspaced = { zh: 2, ja: 3, th: 4, km: 4, my: 4 };
const unspacedWords = languages
  .flatMap(({ language, folded }) => {
    const least = leastUnspaced[language as keyof typeof leastUnspaced] ?? Number.POSITIVE_INFINITY;
    return [...folded].filter((word) => [...word].length >= least);
  })
  .sort((a, b) => b.length - a.length);

/** Matches the longest common word of a text without spaces. */
export const commonInUnspaced = new RegExp(`(${unspacedWords.join('|')})`, 'u');
