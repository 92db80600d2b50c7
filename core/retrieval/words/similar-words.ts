import { foldText } from '../analysis/fold-text.js';
import { termsOf } from './question-words.js';
import { synonyms } from './synonyms.js';
import { isValueKind } from './value-kinds.js';
import { formsOf } from './word-forms.js';

interface Meaning {
  words: readonly string[];
  /** Terms by which a word of a question is recognised. */
  terms: ReadonlySet<string>;
}

const meaningOf = (line: string): Meaning => {
  const words = line.trim().split(' ').map(foldText);
  return { words, terms: new Set(words.flatMap(termsOf)) };
};
const meanings = Object.entries(synonyms).map(([language, lines]) => ({
  language,
  meanings: lines.split('\n').map(meaningOf),
}));

/**
 * Returns the terms of words with the same meaning, and the kinds of values that answer a question with the word. The
 * word is folded by `foldText`. Without languages, all are tried.
 */
export function similarTo(word: string, languages: readonly string[]): string[] {
  const own = new Set(termsOf(word));
  const similar = meanings
    .filter(({ language }) => languages.length === 0 || languages.includes(language))
    .flatMap(({ language, meanings }) =>
      meanings
        .filter(({ terms }) => own.size > 0 && [...own].every((term) => terms.has(term)))
        .flatMap(({ words }) => words)
        .flatMap((other) =>
          isValueKind(other) ? other : [...termsOf(other), ...formsOf(other, [language])],
        ),
    );
  return [...new Set(similar)].filter((term) => !own.has(term));
}
