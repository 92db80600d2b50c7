import type { Found } from '../knowledge/text/passages.js';

/** For a question that is not searched. */
export const nothingFound: Found = {
  passages: [],
  coverage: 0,
  support: 'none',
  isByMeaning: false,
  terms: [],
};
