import { asksFor } from '../../core/retrieval/words/question-phrases.js';

/** Whether a question asks for a number, a price, a time or a date. */
export const asksForNumber = (question: string): boolean =>
  asksFor('time', question) || asksFor('number', question);
