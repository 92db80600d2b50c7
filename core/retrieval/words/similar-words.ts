import { wordLists } from '../../locales/word-lists.js';
import { foldText } from '../analysis/fold-text.js';
import { questionWords, termsOf } from './question-words.js';
import { isValueKind } from './value-kinds.js';
import { formsOf } from './word-forms.js';

/** A group of synonyms. */
interface Meaning {
  language: string;
  words: readonly string[];
  /** Index terms of all these words. */
  terms: ReadonlySet<string>;
}

/** Groups by each of their terms. */
const meanings = new Map<string, Meaning[]>();
for (const [language, { synonyms = [] }] of wordLists)
  for (const line of synonyms) {
    const words = line.split(' ').map(foldText);
    const meaning = { language, words, terms: new Set(words.flatMap(termsOf)) };
    for (const term of meaning.terms) {
      const known = meanings.get(term);
      if (known === undefined) meanings.set(term, [meaning]);
      else known.push(meaning);
    }
  }

/** Returns the groups with a word, which is folded by `foldText`. If `languages` is empty, all languages are tried. */
function groupsOf(word: string, languages: readonly string[]): Meaning[] {
  const [first = '', ...rest] = termsOf(word);
  return (meanings.get(first) ?? [])
    .filter(({ language }) => languages.length === 0 || languages.includes(language))
    .filter(({ terms }) => rest.every((term) => terms.has(term)));
}

/**
 * Returns the terms of synonyms, and the kinds of values that may answer a question with this word (`#money` for
 * "price"). `word` is folded by `foldText`. If `languages` is empty, all languages are tried.
 */
export function similarTo(word: string, languages: readonly string[]): string[] {
  const own = new Set(termsOf(word));
  const similar = groupsOf(word, languages).flatMap(({ language, words }) =>
    words.flatMap((other) =>
      isValueKind(other) ? other : [...termsOf(other), ...formsOf(other, [language])],
    ),
  );
  return [...new Set(similar)].filter((term) => !own.has(term));
}

/** Returns the terms of each stop word of a question that has a meaning, such as "sell", with its synonyms. */
export function stopWordsWithMeaning(question: string): string[][] {
  const { words, languages } = questionWords(question);
  return words
    .filter(({ word, isCommon }) => isCommon && groupsOf(word, languages).length > 0)
    .map(({ word, terms }) => [...terms, ...similarTo(word, languages)]);
}
