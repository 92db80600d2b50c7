import { normalForm } from '../../../reader/normal-form.js';

/** Invisible or typographic characters that neither separate words nor belong to them. */
const ignorable = /\u034f|\u200d|[\u00ad\u0640\u200c\u2060\ufeff]/g;

/**
 * Marks that writers often omit: accents, Hebrew points, Arabic vowel signs. Vowel signs of Indic and Thai scripts
 * are letters.
 */
const foldedMarks = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]/g;

/** Letters with a plain equivalent that Unicode decomposition does not give. */
const twins: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
  ς: 'σ',
  أ: 'ا',
  إ: 'ا',
  آ: 'ا',
  ٱ: 'ا',
  ى: 'ي',
  ی: 'ي',
  ک: 'ك',
  ة: 'ه',
};
const twinned = new RegExp(`[${Object.keys(twins).join('')}]`, 'g');

/** Digits outside ASCII. Unicode encodes the decimal digits of every script contiguously, from zero to nine. */
const foreignDigit = /(?![0-9])\p{Nd}/gu;

function digitValue(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  for (let zero = code; ; zero--) {
    if (code - zero > 9 || !/^\p{Nd}$/u.test(String.fromCodePoint(zero - 1)))
      return String((code - zero) % 10);
  }
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all of ASCII is meant
const ascii = /^[\u0000-\u007f]*$/;

/** Normalises spelling variants: NFKC, lower case, no accents, ASCII digits. Offsets change. */
export function foldText(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  const lower = normalForm(text, 'NFKC').toLowerCase();
  const plain = normalForm(lower, 'NFD').replace(ignorable, '').replace(foldedMarks, '');
  return normalForm(plain, 'NFC')
    .replace(twinned, (letter) => twins[letter] ?? letter)
    .replace(foreignDigit, digitValue);
}
