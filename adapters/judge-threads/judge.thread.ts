import { judge } from '../../core/evaluations/judge.js';
import type { EvaluationQuestion } from '../../core/schemas/evaluations.js';

export interface JudgeTask {
  question: EvaluationQuestion;
  text: string;
  titles: readonly string[];
}

export const judgeAnswer = ({ question, ...answer }: JudgeTask) => judge(question, answer);
