import { wordLists } from '../../locales/word-lists.js';
import { foldText } from '../analysis/fold-text.js';
import { similarTo } from './similar-words.js';
import { isValueKind } from './value-kinds.js';

/** `amount`: the phrases for a number that cannot be the topic of another question: "how many", but not "price". */
type Kind = 'time' | 'number' | 'extent' | 'amount';

/** Scripts without spaces, or with endings attached to words: their phrases are also found inside longer words. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

export const isUnspaced = (phrase: string): boolean => unspaced.test(phrase);

const patterns = new Map<Kind, RegExp>();

/** Created on first use, because most processes answer no questions. */
function createPattern(kind: Kind): RegExp {
  const all = [...wordLists].flatMap(([language, { questions, common }]) => {
    const listed = questions[kind === 'amount' ? 'number' : kind]?.split(',') ?? [];
    const phrases = listed.map((phrase) => foldText(phrase.trim()));
    if (kind !== 'amount') return phrases;
    const stopWords = new Set(foldText(common).split(/\s+/));
    return phrases.filter(
      (phrase) => stopWords.has(phrase.split(' ')[0] ?? '') && !hasValueKind(phrase, language),
    );
  });
  const phrases = [...new Set(all)];
  const inside = phrases.filter(isUnspaced);
  const alone = phrases.filter((phrase) => !isUnspaced(phrase)).join('|');
  return new RegExp([`(?<![\\p{L}\\p{N}])(?:${alone})(?![\\p{L}\\p{M}\\p{N}])`, ...inside].join('|'), 'u');
}

const hasValueKind = (phrase: string, language: string): boolean =>
  phrase.split(' ').some((word) => similarTo(word, [language]).some(isValueKind));

/** Returns whether a question contains a phrase of this kind, in any language. */
export function asksFor(kind: Kind, question: string): boolean {
  const pattern = patterns.get(kind) ?? createPattern(kind);
  patterns.set(kind, pattern);
  return pattern.test(foldText(question));
}
