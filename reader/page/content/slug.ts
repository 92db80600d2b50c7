/** Reduces a text to lower-case letters and digits, as in URLs and ids. */
export const slug = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
