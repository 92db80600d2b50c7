/*
 * The text of a question-and-answer entry is stored as a line for each question, then the answer, so that search
 * finds both.
 */

const QUESTION = 'Q: ';
const ANSWER = '\nA: ';
const questionLine = new RegExp(`^${QUESTION}(.+)$`, 'gm');

const headOf = (questions: readonly string[]): string =>
  questions.map((question) => QUESTION + question).join('\n') + ANSWER;

export const qnaText = (questions: readonly string[], answer: string): string => headOf(questions) + answer;

/** Returns the answer from the stored text of an entry with these questions. */
export const answerIn = (text: string, questions: readonly string[]): string =>
  text.slice(headOf(questions).length);

/** Reads a part of a stored text, such as a chunk. The answer is null if the part ends before it. */
export function readQna(part: string): { questions: string[]; answer: string | null } {
  const at = part.indexOf(ANSWER);
  const head = at < 0 ? part : part.slice(0, at);
  return {
    questions: [...head.matchAll(questionLine)].map(([, question = '']) => question),
    answer: at < 0 ? null : part.slice(at + ANSWER.length),
  };
}
