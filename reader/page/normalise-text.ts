import { cleanText, tidyBlanks } from '../clean-text.js';

/** Spaces for typesetting only. Joiners (U+200C, U+200D) stay, because some scripts need them. */
const oddSpaces = /[\u00a0\u2007\u202f]/g;
const invisible = /[\u00ad\u200b\u2060]/g;

/** Cleans the text of a page: plain spaces, no invisible characters, and no consecutive empty lines. */
export const normaliseText = (text: string): string =>
  tidyBlanks(cleanText(text.replace(oddSpaces, ' ').replace(invisible, '')));
