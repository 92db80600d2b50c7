import type { AnswerFailureCode } from '../ports/store/conversations/answer.js';

/** Messages for clients, by code. Messages of the provider are only logged. */
const failureSentences: Record<AnswerFailureCode, string> = {
  MODEL_UNAVAILABLE: 'The language model cannot be reached. Try again later.',
  MODEL_TIMEOUT: 'The language model did not answer in time. Try again.',
  MODEL_REFUSED: 'The language model refused the request. The operator must correct its configuration.',
  MODEL_RATE_LIMITED: 'The language model takes no more requests for now. Try again in a moment.',
  MODEL_CONTEXT_TOO_LONG: 'The conversation is too long for the language model. Start a new one.',
  MODEL_BAD_ANSWER: 'The language model gave an answer that cannot be used. Try again.',
  DEADLINE: 'The answer took too long and was ended.',
  PROCESS_LOST: 'The process that wrote the answer ended. Send the message again.',
};

export const failureOf = (code: AnswerFailureCode): { code: AnswerFailureCode; message: string } => ({
  code,
  message: failureSentences[code],
});
