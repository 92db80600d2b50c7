/** No letter has more marks; bringing many in order costs time by the square of their number. */
const markPile = /\p{M}(?<=\p{M}{33})/gu;

/** No mark, and nothing that NFC writes otherwise, is below U+0300 or among dashes, quotes and dots. */
const mayChange = /[\u0300-\u200f\u2028-\uffff]/;

/** NFC, without endless piles of accents. */
export const composed = (text: string): string =>
  mayChange.test(text) ? text.replace(markPile, '').normalize('NFC') : text;
