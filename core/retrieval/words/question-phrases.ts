import { wordLists } from '../../locales/word-lists.js';
import { foldText } from '../analysis/fold-text.js';

type Kind = 'time' | 'number';

/** Phrases in these scripts are found inside longer words, because they separate no words or join them with endings. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const patterns = new Map<Kind, RegExp>();

/** Created on first use, because most processes answer no questions. */
function createPattern(kind: Kind): RegExp {
  const all = [...wordLists.values()].flatMap(({ questions }) => questions[kind]?.split(',') ?? []);
  const phrases = [...new Set(all.map((phrase) => foldText(phrase.trim())))];
  const [inside, alone] = [true, false].map((isInside) =>
    phrases.filter((phrase) => unspaced.test(phrase) === isInside).join('|'),
  );
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${alone})(?![\\p{L}\\p{M}\\p{N}])|${inside}`, 'u');
}

/** Whether a question contains a phrase of the kind, in any language. */
export function asksFor(kind: Kind, question: string): boolean {
  const pattern = patterns.get(kind) ?? createPattern(kind);
  patterns.set(kind, pattern);
  return pattern.test(foldText(question));
}
