/** Role of a character when a text is divided into words. */
export const letterClass = {
  /** Separates words. */
  none: 0,
  /** A letter of a script that separates words. */
  letter: 1,
  digit: 2,
  /** Belongs to the preceding letter. */
  mark: 3,
  /** Han and Kana: no spaces, and one character may be a word. */
  han: 4,
  /** Hangul: spaces, but particles are attached to words. */
  hangul: 5,
  /** Thai, Lao, Khmer and Burmese, including vowel signs: no spaces. */
  thai: 6,
} as const;

const BMP = 0x10000;

/** Later entries override earlier ones. */
const classes: [number, RegExp][] = [
  [letterClass.letter, /\p{L}+/gu],
  [letterClass.digit, /\p{N}+/gu],
  [letterClass.mark, /\p{M}+/gu],
  [letterClass.hangul, /\p{Script=Hangul}+/gu],
  [
    letterClass.thai,
    /(?:(?=[\p{L}\p{M}])[\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}])+/gu,
  ],
  // The long vowel mark and the iteration marks occur in both Kana and Han.
  [
    letterClass.han,
    /(?:(?=\p{L})[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script_Extensions=Kana}\p{Script_Extensions=Hani}])+/gu,
  ],
];

let table: Uint8Array | undefined;

/** Created on first use: it takes 2 ms, and most processes never need it. */
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

export function classOf(codePoint: number): number {
  table ??= makeTable();
  if (codePoint < BMP) return table[codePoint] ?? 0;
  const character = String.fromCodePoint(codePoint);
  beyond ??= patternsBeyond();
  return beyond.findLast(([, pattern]) => pattern.test(character))?.[0] ?? letterClass.none;
}
