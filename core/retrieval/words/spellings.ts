import { STEM } from '../analysis/analyse.js';

/** Minimum letters of a word that is looked up with one letter changed. Shorter words have too many neighbours. */
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
 * Returns the terms of words that differ from a misspelled one by one edit: a missing, additional or wrong letter, or
 * two exchanged letters. `word` is folded by `foldText`. Empty for short words and for other scripts.
 */
export function spellingsOf(word: string): string[] {
  const letters = [...word];
  const alphabet = alphabets.find(({ script }) => script.test(word))?.letters;
  if (alphabet === undefined || letters.length < LEAST_LETTERS) return [];
  const spellings = new Set<string>();
  const add = (before: number, between: readonly string[], after: number) =>
    spellings.add([...letters.slice(0, before), ...between, ...letters.slice(after)].slice(0, STEM).join(''));
  // Behind the letters of a term, an edit changes nothing.
  for (let at = 0; at < Math.min(letters.length, STEM + 1); at++) {
    add(at, [], at + 1);
    add(at, letters.slice(at, at + 2).reverse(), at + 2);
    for (const letter of alphabet) {
      add(at, [letter], at + 1);
      add(at, [letter], at);
    }
  }
  for (const letter of alphabet) add(letters.length, [letter], letters.length);
  spellings.delete(letters.slice(0, STEM).join(''));
  return [...spellings];
}
