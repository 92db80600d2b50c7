import { isSymbolFont, symbolOf } from '../../../symbol-fonts.js';

/** Names of the glyphs of ZapfDingbats from code 0x21 and from 0xA1, by their numbers after `a`. */
const dingbatNumbers: readonly (readonly [first: number, numbers: string])[] = [
  [
    0x21,
    '1 2 202 3 4 5 119 118 117 11 12 13 14 15 16 105 17 18 19 20 21 22 23 24 25 26 27 28 6 7 8 9 10 29 30 31 32 33 34 35 36 37 38 39 40 41 42 43 44 45 46 47 48 49 50 51 52 53 54 55 56 57 58 59 60 61 62 63 64 65 66 67 68 69 70 71 72 73 74 203 75 204 76 77 78 79 81 82 83 84 97 98 99 100',
  ],
  [
    0xa1,
    '101 102 103 104 106 107 108 112 111 110 109 120 121 122 123 124 125 126 127 128 129 130 131 132 133 134 135 136 137 138 139 140 141 142 143 144 145 146 147 148 149 150 151 152 153 154 155 156 157 158 159 160 161 163 164 196 165 192 166 167 168 169 170 171 172 173 162 174 175 176 177 178 179 193 180 199 181 200 182',
  ],
  [0xf1, '201 183 184 197 185 194 198 186 195 187 188 189 190 191'],
];

let dingbatCodes: ReadonlyMap<string, number> | undefined;

function codeOfDingbat(name: string): number | undefined {
  dingbatCodes ??= new Map(
    dingbatNumbers.flatMap(([first, numbers]) =>
      numbers.split(' ').map((number, i) => [`a${number}`, first + i] as const),
    ),
  );
  return dingbatCodes.get(name);
}

/** Ligatures that the glyph list has under other names. */
const ligatures: Readonly<Record<string, string>> = {
  f_f: 'ff',
  f_i: 'fi',
  f_l: 'fl',
  f_f_i: 'ffi',
  f_f_l: 'ffl',
};

/** A name of several letters, drawn as one glyph. */
const ligatureName = /^[A-Za-z](?:_[A-Za-z]){1,4}$/;
/** Names that only number the glyphs of a font. */
const numbered = /^(?!uni|afii|SF\d|H\d{5}|u[\dA-F]{4})(?:\.notdef|[A-Za-z]{1,5}[-_.]?\d+)$/;

const differences = /\/Differences\s*\[[^[\]]*\]/g;
const glyphName = /\/([^\s/<>()[\]{}%]+)/g;

/**
 * Replaces glyph names of an encoding by names that pdf.js knows: without a suffix (`one.lf`), and those of symbols by
 * the characters that they show in this font. `nameLetters` returns the name of a glyph for several letters.
 */
export const withKnownNames = (
  object: string,
  font: string,
  nameLetters: (letters: string) => string,
): string =>
  object.replace(differences, (list) =>
    list
      .slice('/Differences'.length)
      .replace(glyphName, (_, name: string) => `/${knownName(name, font, nameLetters)}`)
      .replace(/^/, '/Differences'),
  );

/** Returns the codes whose glyphs have names with a meaning other than a blank. */
export function namedCodes(object: string): ReadonlySet<number> {
  const codes = new Set<number>();
  for (const [list] of object.matchAll(differences)) {
    let code = 0;
    for (const [part, name] of list.slice('/Differences'.length).matchAll(/\d+|\/([^\s/<>()[\]{}%]+)/g)) {
      if (name === undefined) code = Number(part);
      else {
        if (!numbered.test(name) && !/^(?:space|nbspace|nonbreakingspace|uni00[2A]0)\b/.test(name))
          codes.add(code);
        code++;
      }
    }
  }
  return codes;
}

function knownName(name: string, font: string, nameLetters: (letters: string) => string): string {
  const base = /^([^.]+)\../.exec(name)?.[1] ?? name;
  if (isSymbolFont(font)) {
    const code = codeOfDingbat(base) ?? codeOfPrivateName(base);
    if (code !== undefined) return nameOf(code, font);
  }
  if (ligatures[base] === undefined && ligatureName.test(base)) return nameLetters(base.replaceAll('_', ''));
  return ligatures[base] ?? base;
}

function codeOfPrivateName(name: string): number | undefined {
  const hex = /^(?:uni|u)?([Ff]0[\dA-Fa-f]{2})$/.exec(name)?.[1];
  return hex === undefined ? undefined : Number.parseInt(hex, 16);
}

/** Returns the name of the glyph for the character that the font shows for the code. */
function nameOf(code: number, font: string): string {
  const value = symbolOf(code, font).codePointAt(0) ?? 0xfffd;
  const hex = value.toString(16).toUpperCase().padStart(4, '0');
  return value > 0xffff ? `u${hex}` : `uni${hex}`;
}

/** Returns an encoding with the characters of a symbol font for all codes. */
export const symbolEncoding = (font: string): string =>
  `<</Type/Encoding/Differences[32/space${Array.from({ length: 0xff - 0x20 }, (_, i) => `/${nameOf(i + 0x21, font)}`).join('')}]>>`;
