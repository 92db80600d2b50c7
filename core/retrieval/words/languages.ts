import { wordLists } from '../../locales/word-lists.js';
import { foldText } from '../analysis/fold-text.js';

const languages = [...wordLists.keys()];

/** What separates the words of a list, as in a question. Persian joins prefixes by U+200C. */
const separators = /[\s'’\u200c-]+/;

/** Returns the languages of each stop word, as indexes into `languages`. */
function languagesByWord(spell: (word: string) => string): ReadonlyMap<string, readonly number[]> {
  const byWord = new Map<string, number[]>();
  for (const [n, { common }] of [...wordLists.values()].entries())
    for (const word of new Set(common.split(separators).map(spell))) {
      const known = byWord.get(word);
      if (known === undefined) byWord.set(word, [n]);
      else known.push(n);
    }
  return byWord;
}

/** Stop words in lower case, with accents. */
const written = languagesByWord((word) => word.toLowerCase());
const folded = languagesByWord(foldText);

export interface QuestionLanguages {
  /** Languages with the most stop words in the question; empty if it contains none. */
  languages: string[];
  /** Returns whether a word, folded by `foldText`, is a stop word in one of these languages. */
  isCommon(word: string): boolean;
}

/**
 * Guesses the languages of a question from its stop words. A match with accents counts more, but is not required,
 * because many people omit accents.
 */
export function languagesOf(words: readonly string[]): QuestionLanguages {
  const counts = new Float64Array(languages.length);
  const count = (found: readonly number[] | undefined, points: number) => {
    for (const n of found ?? []) counts[n] = (counts[n] ?? 0) + points;
  };
  for (const word of words) {
    count(folded.get(foldText(word)), 1);
    count(written.get(word.toLowerCase()), 0.5);
  }
  const most = Math.max(1, ...counts);
  return {
    languages: languages.filter((_, n) => counts[n] === most),
    isCommon: (word) => folded.get(word)?.some((n) => counts[n] === most) ?? false,
  };
}

/** Minimum code points of a stop word that is recognised in a text without spaces, by language. */
const leastUnspaced = [...wordLists.values()].map((words) => words.leastUnspaced ?? Infinity);
const unspacedWords = [...folded]
  .filter(([word, found]) => found.some((n) => [...word].length >= (leastUnspaced[n] ?? Infinity)))
  .map(([word]) => word)
  .sort((a, b) => b.length - a.length);

/** Matches the longest stop word at a position in a text without spaces. */
export const commonInUnspaced = new RegExp(`(${unspacedWords.join('|')})`, 'u');
