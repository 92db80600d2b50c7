/** No letter has more marks; bringing many in order costs time by the square of their number. */
const markPile = /\p{M}(?<=\p{M}{33})/gu;

/** NFC, without endless piles of accents. */
export const composed = (text: string): string => text.replace(markPile, '').normalize('NFC');
