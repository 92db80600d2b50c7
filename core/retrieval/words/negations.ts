import { wordLists } from '../../locales/word-lists.js';
import { foldText } from '../analysis/fold-text.js';
import { isUnspaced } from './question-phrases.js';
import { questionWords } from './question-words.js';

const patterns = new Map<string, RegExp>();

function patternOf(language: string, list: string): RegExp {
  const known = patterns.get(language);
  if (known !== undefined) return known;
  const phrases = list.split(',').map((phrase) => foldText(phrase.trim()));
  const anyOf = phrases
    .map((phrase) => (isUnspaced(phrase) ? phrase : `(?<![\\p{L}\\p{N}])${phrase}(?![\\p{L}\\p{M}\\p{N}])`))
    .join('|');
  const pattern = new RegExp(anyOf, 'u');
  patterns.set(language, pattern);
  return pattern;
}

/** Returns whether a text contains a negation, in the language that its words suggest. */
export function isNegated(text: string): boolean {
  const folded = foldText(text);
  return questionWords(text).languages.some((language) => {
    const list = wordLists.get(language)?.negations;
    return list !== undefined && patternOf(language, list).test(folded);
  });
}
