/** Collapses white space as HTML does. The pattern skips single spaces, so that prose is processed fast. */
export const foldBlanks = (text: string): string => text.replace(/\s{2,}|[^\S ]/g, ' ');

/** Normalises a text for comparison: trimmed, with white space collapsed, in lower case. */
export const foldedText = (text: string): string => foldBlanks(text).trim().toLowerCase();
