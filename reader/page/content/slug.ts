/** Reduces to lower-case letters and digits, as in addresses and ids. */
export const slug = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
