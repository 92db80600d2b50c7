import { createHash } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import { questionHash } from '../conversations/question-hash.js';
import type { KeptQuestionRow } from '../ports/store/conversations/evaluations.js';
import { type EvaluationQuestion, unanswerableTypes } from '../schemas/evaluations.js';

/** A question as clients send it. */
export type SentQuestion = Partial<EvaluationQuestion> & Pick<EvaluationQuestion, 'question'>;

const HASH_CHARACTERS = 32;

/** Fills in the defaults. */
export function completeQuestion(sent: SentQuestion): EvaluationQuestion {
  const { type = 'question', question, before = [], answer = [], source = [] } = sent;
  const { sourceMode = 'all', mustNot = [] } = sent;
  const unanswerable = sent.unanswerable ?? unanswerableTypes.includes(type);
  return { type, question, before, answer, source, sourceMode, mustNot, unanswerable };
}

/** Hashes the messages of a question, without the expectations. */
const hashOf = ({ before, question }: Pick<EvaluationQuestion, 'before' | 'question'>): string =>
  createHash('sha256')
    .update([...before, question].map(questionHash).join())
    .digest('hex')
    .slice(0, HASH_CHARACTERS);

export const keptQuestion = (agentId: string, sent: SentQuestion, createdAt: number): KeptQuestionRow => {
  const question = completeQuestion(sent);
  return { id: uuidv7(), agentId, questionHash: hashOf(question), question, createdAt };
};
