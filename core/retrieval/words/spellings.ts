import { STEM } from '../analysis/analyse.js';

/** Minimum letters of a word that is corrected. Too many words differ from a shorter word by one letter. */
const LEAST_LETTERS = 5;

/** Letters of a script after `foldText`. */
const alphabets: readonly { script: RegExp; letters: readonly string[] }[] = [
  { script: /^\p{Script=Latin}+$/u, letters: [...'abcdefghijklmnopqrstuvwxyz'] },
  { script: /^\p{Script=Cyrillic}+$/u, letters: [...'абвгдежзиклмнопрстуфхцчшщъыьэюяіїєґјљњћџђ'] },
  { script: /^\p{Script=Greek}+$/u, letters: [...'αβγδεζηθικλμνξοπρστυφχψω'] },
  { script: /^\p{Script=Hebrew}+$/u, letters: [...'אבגדהוזחטיכלמנסעפצקרשת'] },
  { script: /^\p{Script=Armenian}+$/u, letters: [...'աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆ'] },
  { script: /^\p{Script=Georgian}+$/u, letters: [...'აბგდევზთიკლმნოპჟრსტუფქღყშჩცძწჭხჯჰ'] },
];

/**
 * Returns the terms at a Damerau-Levenshtein distance of one from `word`: a missing, additional or wrong letter, or
 * two transposed letters. `word` is folded by `foldText`. Returns an empty list for short words and for other
 * scripts.
 */
export function spellingsOf(word: string): string[] {
  const alphabet = alphabets.find(({ script }) => script.test(word))?.letters;
  if (alphabet === undefined || word.length < LEAST_LETTERS) return [];
  const spellings = new Set<string>();
  // After `foldText`, each letter of these scripts is one UTF-16 unit.
  const add = (before: number, between: string, after: number) =>
    spellings.add((word.slice(0, before) + between + word.slice(after)).slice(0, STEM));
  // An edit after the letters of the stem would not change the term.
  for (let at = 0; at < Math.min(word.length, STEM + 1); at++) {
    add(at, '', at + 1);
    add(at, (word[at + 1] ?? '') + word[at], at + 2);
    for (const letter of alphabet) {
      add(at, letter, at + 1);
      add(at, letter, at);
    }
  }
  for (const letter of alphabet) add(word.length, letter, word.length);
  spellings.delete(word.slice(0, STEM));
  return [...spellings];
}
