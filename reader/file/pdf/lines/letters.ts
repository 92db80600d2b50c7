import { normalForm } from '../../../normal-form.js';

/**
 * Replaces the private-use characters of Adobe's glyph list for old-style digits and small capitals, and codes for which a
 * font has no character. Glyph 3 of most fonts is the blank.
 */
export const namedForms = (text: string): string =>
  text.replace(/(?![\t-\r])\p{Cc}|[\uf724\uf730-\uf739\uf761-\uf77a\uf7a2]/gu, (char) => {
    const code = char.charCodeAt(0);
    if (code < 0x100) return char === '\x03' ? ' ' : '\ufffd';
    return String.fromCharCode(code & 0xff);
  });

/** Replaces ligatures, radicals and contextual or vertical letter forms by plain letters. */
export const unfoldForms = (text: string): string =>
  text
    .replace(/[\u00a0\u2000-\u200a\u202f]/g, ' ')
    .replace(
      /[\u2e9f\u2ef3\u2f00-\u2fd5\ufb00-\ufb06\ufb13-\ufb17\ufb1d-\ufdff\ufe10-\ufe19\ufe30-\ufe48\ufe70-\ufefc]+/g,
      (forms) => normalForm(forms, 'NFKC'),
    );

/**
 * Returns whether the letters are spaced for emphasis, as in `T I T L E`. Letters in alphabetical order are a list
 * instead.
 */
export function isLetterSpaced(text: string, fewest: number): boolean {
  if (!/^\p{L}(?: \p{L})*(?: ?\p{P})?$/u.test(text)) return false;
  const letters = text.match(/\p{L}/gu) ?? [];
  return letters.length >= fewest && letters.some((letter, i) => letter < (letters[i - 1] ?? ''));
}

/** Standalone accents and their combining marks. */
const accents: Readonly<Record<string, string>> = {
  '¨': '\u0308',
  '´': '\u0301',
  ˆ: '\u0302',
  '˜': '\u0303',
  ˇ: '\u030c',
  '¸': '\u0327',
  '¯': '\u0304',
  '˘': '\u0306',
  '˙': '\u0307',
  '˚': '\u030a',
  '˝': '\u030b',
};

/**
 * Composes accents that typesetting programs draw before the letter: `¨u` is `ü`. An acute accent used as an apostrophe
 * (`l´eau`) is kept.
 */
export const composeAccents = (text: string): string =>
  text.replace(/([¨´ˆ˜ˇ¸¯˘˙˚˝])(\p{L})/gu, (both, accent: string, letter: string, at: number) => {
    if (accent === '´' && isApostrophe(text.slice(Math.max(0, at - 3), at), letter)) return both;
    const base = letter === 'ı' ? 'i' : letter === 'ȷ' ? 'j' : letter;
    const composed = normalForm(`${base}${accents[accent] ?? ''}`, 'NFC');
    return composed.length === 1 ? composed : both;
  });

/** An apostrophe follows an article of one letter or `qu`, or precedes a final consonant. */
const isApostrophe = (before: string, letter: string): boolean =>
  /(?:^|\P{L})(?:\p{L}|[Qq]u)$/u.test(before) || (/\p{L}$/u.test(before) && !/[aeiouyı]/i.test(letter));

const mirrored: Readonly<Record<string, string>> = {
  '(': ')',
  ')': '(',
  '[': ']',
  ']': '[',
  '{': '}',
  '}': '{',
};

/**
 * Patterns of lam-alef ligatures that were certainly read backwards: two alefs are never adjacent, no noun with an
 * article ends in `الت`, no word ends in `الل`, and an article does not stand alone. Elsewhere, both orders may be
 * words, such as `سالم` and `سلام` or `بال` and `بلا`. The letters alone cannot decide, so such words are left
 * unchanged.
 */
const reversedLamAlef: readonly (readonly [RegExp, string])[] = [
  [/ا([اأإآ])ل/gu, 'ال$1'],
  [/(?<!\p{L})([وفبك]?(?:ال|لل)\p{L}{2,})الت(?!\p{L})/gu, '$1لات'],
  [/(?<=\p{L})الل(?=(?:ها|هم|هما|هن)?(?!\p{L}))/gu, 'لال'],
  [/(?<!\p{L})([وف]?[إأ])ال(?!\p{L})/gu, '$1لا'],
  [/(?<!\p{L})(و?)ال(?!\p{L})/gu, '$1لا'],
];

/**
 * Repairs a right-to-left line whose glyphs are in visual order: mirrors brackets if all of them face outwards, and
 * reverses misread lam-alef ligatures.
 */
export function repairRightToLeft(text: string): string {
  const brackets = text.match(/[()[\]{}]/g) ?? [];
  const faceOutwards = /[)\]}]/.test(brackets[0] ?? '') && /[([{]/.test(brackets.at(-1) ?? '');
  const turned = faceOutwards ? text.replace(/[()[\]{}]/g, (bracket) => mirrored[bracket] ?? bracket) : text;
  return reversedLamAlef.reduce((line, [pattern, repair]) => line.replace(pattern, repair), turned);
}
