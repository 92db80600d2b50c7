import type { Passage } from '../knowledge/text/passages.js';
import { readQna } from '../knowledge/text/qna-text.js';
import { foldText } from './analysis/fold-text.js';

const wordsOf = (question: string): string =>
  (foldText(question).match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).join(' ');

/** Returns whether two questions are the same, regardless of case, accents, punctuation and spaces. */
export function isSameQuestion(question: string, other: string): boolean {
  const words = wordsOf(question);
  return words !== '' && words === wordsOf(other);
}

/** Returns whether a passage is a question-and-answer entry with this question. */
export const isEntryFor = (
  { sourceType, text }: Pick<Passage, 'sourceType' | 'text'>,
  question: string,
): boolean =>
  sourceType === 'qna_entry' && readQna(text).questions.some((stored) => isSameQuestion(stored, question));
