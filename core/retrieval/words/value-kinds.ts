export const TIME = '#time';
export const MONEY = '#money';
export const EMAIL = '#email';

/** Patterns of values in many languages. They are heuristics and only support other evidence. */
const kinds: readonly [name: string, pattern: RegExp][] = [
  [
    MONEY,
    /[€$£¥₽₹₩₺₴₪฿]|\b(?:EUR|USD|GBP|CHF|PLN|SEK|NOK|DKK|CZK|TL)\b|\d\s?(?:euros?|kr|zł|руб|円|元|원|บาท)|(?<!-|\bfeel )\bfree\b|\b(?:gratis|zdarma|zadarmo)\b|\b(?:kostenlos|kostenfrei|gratuit|bezpłatn|darmow|ingyen)|бесплатн|безкоштовн|ücretsiz|無料|免费|免費|무료/i,
  ],
  ['#phone', /\+\d[\d\s()/.-]{6,}\d|\b\d{2,5}[\s/-]\d{2,4}[\s-]\d{2,}|\b0\d{5,}/],
  ['#temperature', /\d\s?[°℃℉]/],
  [EMAIL, /[^\s@]@[^\s@]{1,255}\.[^\s@]/],
  [
    TIME,
    /\b\d{1,2}(?:[:.h]\d{2}(?![\d.])|\s?(?:am|pm|a\.m|p\.m|o.clock|uhr|heures?|kl)\b)|\d[時时点點月日号]|\b\d{1,4}[-./]\d{1,2}[-./]\d{1,4}\b|\b(?:19|20)\d\d\b/i,
  ],
];

/** Returns whether a term is a value kind. Words never start with this sign. */
export const isValueKind = (term: string): boolean => term.startsWith('#');

/** Returns the kinds of values that a text contains. */
export const valueKindsIn = (text: string): string[] =>
  kinds.filter(([, pattern]) => pattern.test(text)).map(([name]) => name);
