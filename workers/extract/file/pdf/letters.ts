/**
 * Ligatures, radicals and the forms of letters that depend on their neighbours or on vertical writing
 * become plain letters.
 */
export const unfoldForms = (text: string): string =>
  text
    .replace(/[\u00a0\u2000-\u200a\u202f]/g, ' ')
    .replace(
      /[\u2e9f\u2ef3\u2f00-\u2fd5\ufb00-\ufb06\ufb13-\ufb17\ufb1d-\ufdff\ufe10-\ufe19\ufe30-\ufe48\ufe70-\ufefc]+/g,
      (forms) => forms.normalize('NFKC'),
    );

/** Letters apart from each other for looks: `T I T L E`. Lists of letters in the order of the alphabet are none. */
export function isLetterSpaced(text: string, fewest: number): boolean {
  if (!/^\p{L}(?: \p{L})*(?: ?\p{P})?$/u.test(text)) return false;
  const letters = text.match(/\p{L}/gu) ?? [];
  return letters.length >= fewest && letters.some((letter, i) => letter < (letters[i - 1] ?? ''));
}

/** Accents that stand alone, and what they are above or below a letter. */
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
 * Some typesetting programs draw an accent, then the letter: `¨u` is `ü`. An apostrophe written as an
 * acute (`l´eau`) stays.
 */
export const composeAccents = (text: string): string =>
  text.replace(/([¨´ˆ˜ˇ¸¯˘˙˚˝])(\p{L})/gu, (both, accent: string, letter: string, at: number) => {
    if (accent === '´' && isApostrophe(text.slice(Math.max(0, at - 3), at), letter)) return both;
    const base = letter === 'ı' ? 'i' : letter === 'ȷ' ? 'j' : letter;
    const composed = `${base}${accents[accent] ?? ''}`.normalize('NFC');
    return composed.length === 1 ? composed : both;
  });

/** After the article of one letter or `qu`, or before a final consonant. */
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
 * Text of a right-to-left line whose glyphs were told one by one as they look: brackets that all face
 * outwards are turned, and the lam of an article that its ligature put behind the alef goes before it.
 */
export function repairRightToLeft(text: string): string {
  const brackets = text.match(/[()[\]{}]/g) ?? [];
  const faceOutwards = /[)\]}]/.test(brackets[0] ?? '') && /[([{]/.test(brackets.at(-1) ?? '');
  const turned = faceOutwards ? text.replace(/[()[\]{}]/g, (bracket) => mirrored[bracket] ?? bracket) : text;
  return turned.replace(/(?<![\p{L}\p{M}])([وفبك]?)ا([اأإآ])ل/gu, '$1ال$2');
}
