import { wordLists } from '../../locales/word-lists.js';
import { foldText } from '../analysis/fold-text.js';

type Kind = 'time' | 'number';

/** Scripts without spaces, or with endings attached to words: their phrases are also found inside longer words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

export const isUnspaced = (phrase: string): boolean => unspaced.test(phrase);

const patterns = new Map<Kind, RegExp>();

/** Created on first use, because most processes answer no questions. */
function createPattern(kind: Kind): RegExp {
  const all = [...wordLists.values()].flatMap(({ questions }) => questions[kind]?.split(',') ?? []);
  const phrases = [...new Set(all.map((phrase) => foldText(phrase.trim())))];
  const [inside, alone] = [true, false].map((isInside) =>
    phrases.filter((phrase) => isUnspaced(phrase) === isInside).join('|'),
  );
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alone})(?![\\p{L}\\p{M}\\p{N}])|${inside}`, 'u');
}

/** Returns whether a question contains a phrase of this kind, in any language. */
export function asksFor(kind: Kind, question: string): boolean {
  const pattern = patterns.get(kind) ?? createPattern(kind);
  patterns.set(kind, pattern);
  return pattern.test(foldText(question));
}
