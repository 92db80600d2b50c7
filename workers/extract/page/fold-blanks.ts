/** White space as HTML shows it: every run as one space. Single spaces are not matched, so that prose costs nothing. */
export const foldBlanks = (text: string): string => text.replace(/\s{2,}|[^\S ]/g, ' ');

/** As two texts are compared: white space folded, none around it, lower case. */
export const foldedText = (text: string): string => foldBlanks(text).trim().toLowerCase();
