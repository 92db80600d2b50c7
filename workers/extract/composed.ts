/** Longer runs of combining marks are cut: no letter has more, and ordering them takes quadratic time. */
const markPile = /\p{M}(?<=\p{M}{33})/gu;

/** Below U+0300, and among dashes, quotes and dots, there are no marks and nothing that NFC changes. */
const mayChange = /[\u0300-\u200f\u2028-\uffff]/;

/** Normalises to NFC and limits runs of combining marks. */
export const composed = (text: string): string =>
  mayChange.test(text) ? text.replace(markPile, '').normalize('NFC') : text;
