import { wordLists } from '../../locales/word-lists.js';
import { foldText } from '../analysis/fold-text.js';
import { termsOf } from './question-words.js';
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

/**
 * Returns the terms of synonyms, and the kinds of values that may answer a question with this word (`#money` for
 * "price"). `word` is folded by `foldText`. If `languages` is empty, all languages are tried.
 */
export function similarTo(word: string, languages: readonly string[]): string[] {
  const [first = '', ...rest] = termsOf(word);
  const own = new Set([first, ...rest]);
  const similar = (meanings.get(first) ?? [])
    .filter(({ language }) => languages.length === 0 || languages.includes(language))
    .filter(({ terms }) => rest.every((term) => terms.has(term)))
    .flatMap(({ language, words }) =>
      words.flatMap((other) =>
        isValueKind(other) ? other : [...termsOf(other), ...formsOf(other, [language])],
      ),
    );
  return [...new Set(similar)].filter((term) => !own.has(term));
}
