import { wordLists } from '../../locales/word-lists.js';
import { foldText } from '../analysis/fold-text.js';

/** Matches a number, but no code such as E3 or HX-20. Codes of currencies have three letters. */
const digits = /(?<!\p{N}|(?<!\p{L})\p{Lu}{1,2}-?)\p{N}+/gu;

const patterns = new Map<string, RegExp | null>();

/** Returns a pattern for the words for numbers in a language; null if there is no list of them. */
function patternOf(language: string): RegExp | null {
  const known = patterns.get(language);
  if (known !== undefined) return known;
  const words = wordLists
    .get(language)
    ?.numbers?.split(',')
    .map((word) => foldText(word.trim()));
  const pattern =
    words && new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.join('|')})(?![\\p{L}\\p{M}\\p{N}])`, 'gu');
  patterns.set(language, pattern ?? null);
  return pattern ?? null;
}

export const hasNumber = (text: string): boolean => text.search(digits) >= 0;

/**
 * Returns the numbers in a text, in digits and in words of these languages; null if there is no list of words in any of
 * them.
 */
export function numbersIn(text: string, languages: readonly string[]): string[] | null {
  const inWords = languages.flatMap((language) => patternOf(language) ?? []);
  if (inWords.length === 0) return null;
  const folded = foldText(text);
  return [...(text.match(digits) ?? []), ...inWords.flatMap((pattern) => folded.match(pattern) ?? [])];
}
