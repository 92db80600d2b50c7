/** Letters and digits alone, lower case: as headings stand in addresses and ids. */
export const slug = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
