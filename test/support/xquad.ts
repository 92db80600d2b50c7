import { readFileSync } from 'node:fs';
import { inCorpus, missingFromCorpus } from './corpus/folder.js';

/** Paragraphs, and questions with one relevant paragraph each. */
export interface QuestionSet {
  paragraphs: { article: string; text: string }[];
  questions: { question: string; paragraph: number; answers: string[] }[];
}

/** Why it is not available, or false. */
export const xquadMissing = missingFromCorpus('retrieval');

export const readSet = (name: string): string => readFileSync(inCorpus('retrieval', name), 'utf8');

export const xquadOf = (language: string): QuestionSet =>
  JSON.parse(readSet(`xquad.${language}.json`)) as QuestionSet;

const folded = (text: string): string => text.replace(/\s+/g, ' ');

/** Whether the text contains one of the reference answers. */
export const holds = (shown: string, answers: readonly string[]): boolean =>
  answers.some((answer) => folded(shown).includes(folded(answer)));
