/** Collapses white space as HTML does. Single spaces are not matched, so that prose costs nothing. */
export const foldBlanks = (text: string): string => text.replace(/\s{2,}|[^\S ]/g, ' ');

/** Normalises for comparison: white space folded and trimmed, lower case. */
export const foldedText = (text: string): string => foldBlanks(text).trim().toLowerCase();
