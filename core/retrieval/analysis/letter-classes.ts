/** What a character means for dividing a text into words. */
export const letterClass = {
  /** Parts words. */
  none: 0,
  /** Of a script that writes words apart. */
  letter: 1,
  digit: 2,
  /** Goes with the letter before it. */
  mark: 3,
  /** Han and Kana: words are not apart, and one character may be one. */
  han: 4,
  /** Hangul: words are apart, but carry their particles. */
  hangul: 5,
  /** Thai, Lao, Khmer and Burmese, vowel signs included: words are not apart. */
  thai: 6,
} as const;

const BMP = 0x10000;

/** In this order: what a later one names, it takes from the earlier ones. */
const classes: [number, RegExp][] = [
  [letterClass.letter, /\p{L}+/gu],
  [letterClass.digit, /\p{N}+/gu],
  [letterClass.mark, /\p{M}+/gu],
  [letterClass.hangul, /\p{Script=Hangul}+/gu],
  [
    letterClass.thai,
    /(?:(?=[\p{L}\p{M}])[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])+/gu,
  ],
  // The long vowel mark and the iteration marks belong to Kana and Han alike.
  [
    letterClass.han,
    /(?:(?=\p{L})[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script_Extensions=Kana}\p{Script_Extensions=Hani}])+/gu,
  ],
];

let table: Uint8Array | undefined;

/** Made when first needed: two milliseconds that most processes can spare. */
function makeTable(): Uint8Array {
  const made = new Uint8Array(BMP);
  const units: string[] = [];
  for (let code = 0; code < BMP; code++)
    units.push(code >= 0xd800 && code < 0xe000 ? ' ' : String.fromCharCode(code));
  const all = units.join('');
  for (const [kind, pattern] of classes)
    for (const { index, 0: run } of all.matchAll(pattern)) made.fill(kind, index, index + run.length);
  return made;
}

let beyond: (readonly [number, RegExp])[] | undefined;

const patternsBeyond = () =>
  classes.map(([kind, pattern]) => [kind, new RegExp(`^(?:${pattern.source})$`, 'u')] as const);

/** The class of a code point. */
export function classOf(codePoint: number): number {
  table ??= makeTable();
  if (codePoint < BMP) return table[codePoint] ?? 0;
  const character = String.fromCodePoint(codePoint);
  beyond ??= patternsBeyond();
  return beyond.findLast(([, pattern]) => pattern.test(character))?.[0] ?? letterClass.none;
}
