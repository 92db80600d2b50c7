import type { WordLists } from '../../locales/locale.schema.js';
import { wordLists } from '../../locales/word-lists.js';
import { analyse, STEM } from '../analysis/analyse.js';
import { foldText } from '../analysis/fold-text.js';

/** Minimum code points of the stem that all forms share. */
const LEAST_STEM = 3;
const EMPTY = '-';

const groupsOf = ({ endings = [] }: WordLists): string[][] =>
  endings.map((group) => group.split(' ').map((ending) => (ending === EMPTY ? '' : foldText(ending))));
const groups = new Map([...wordLists].map(([language, words]) => [language, groupsOf(words)]));
const allGroups = [...groups.values()].flat();

/**
 * Returns the terms of other forms of a word, which is folded by `foldText`. Many are not real words; the search
 * ignores terms that no source contains. If `languages` is empty, the endings of all languages are tried.
 */
export function formsOf(word: string, languages: readonly string[]): string[] {
  if (/[^\p{L}]/u.test(word)) return [];
  const tried = languages.length === 0 ? allGroups : languages.flatMap((one) => groups.get(one) ?? []);
  const forms = new Set<string>();
  for (const group of tried)
    for (const ending of group) {
      if (!word.endsWith(ending)) continue;
      const stem = word.slice(0, word.length - ending.length);
      if (stem.length < LEAST_STEM || stem.length > STEM) continue;
      for (const other of group) forms.add((stem + other).slice(0, STEM));
    }
  const [term] = analyse(word);
  if (term !== undefined) forms.delete(term);
  return [...forms];
}
