import { analyse } from '../analysis/analyse.js';
import { questionWords } from './question-words.js';

/** Languages that write every noun with a capital letter. */
const capitalisedNouns = new Set(['de', 'lb']);
const name = /(?<=[\p{Ll}\p{N},;]\s)\p{Lu}[\p{L}\p{N}]+/gu;

/** Returns the index terms of the names in a question: words with a capital letter within a sentence. */
export function namesIn(question: string): string[][] {
  const names = question.match(name) ?? [];
  if (names.length === 0 || questionWords(question).languages.some((one) => capitalisedNouns.has(one)))
    return [];
  return names.map((one) => [...analyse(one)]);
}
