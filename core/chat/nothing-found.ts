import type { Found } from '../knowledge/text/passages.js';

/** Search result for a message without a search, such as small talk. */
export const nothingFound: Found = {
  passages: [],
  coverage: 0,
  support: 'none',
  answeringSentence: null,
  terms: [],
};
