import type { AnswerFailureCode } from '../ports/store/conversations/answer.js';

/** Error messages for clients, by code. The provider's own messages are only logged. */
const failureSentences: Record<AnswerFailureCode, string> = {
  MODEL_UNAVAILABLE: 'The language model cannot be reached. Try again later.',
  MODEL_TIMEOUT: 'The language model did not answer in time. Try again.',
  MODEL_REFUSED: 'The language model refused the request. The operator must correct its configuration.',
  MODEL_RATE_LIMITED: 'The language model has reached its rate limit. Try again in a moment.',
  MODEL_CONTEXT_TOO_LONG: 'The conversation is too long for the language model. Start a new one.',
  MODEL_BAD_ANSWER: 'The language model returned an unusable answer. Try again.',
  DEADLINE: 'The answer took too long and was cut off. Try again.',
  PROCESS_LOST: 'The server process stopped while it wrote the answer. Send the message again.',
};

export const failureOf = (code: AnswerFailureCode): { code: AnswerFailureCode; message: string } => ({
  code,
  message: failureSentences[code],
});
