import { pdfLines, pdfOf } from './fixtures.js';

/** Pages with a regular font, F1, and a bold one, F2. */
export function twoFonts(contents: readonly string[]): Uint8Array {
  const kids = contents.map((_, i) => `${5 + 2 * i} 0 R`).join(' ');
  const font = (name: string) => `<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`;
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${contents.length}>>`,
    font('Helvetica'),
    font('Helvetica-Bold'),
    ...contents.flatMap((content, i) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents ${6 + 2 * i} 0 R/Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>>>`,
      `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    ]),
  ]);
}

/** A page whose font F2 has these letters from A on. */
export function withLetters(letters: readonly string[], content: string): Uint8Array {
  const hex = (code: number, digits: number) => code.toString(16).padStart(digits, '0');
  const mapped = letters.map((letter, i) => `<${hex(65 + i, 2)}> <${hex(letter.charCodeAt(0), 4)}>`);
  const toUnicode = `/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <FF> endcodespacerange ${letters.length} beginbfchar\n${mapped.join('\n')}\nendbfchar endcmap end end`;
  const font = '/Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding';
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[5 0 R]/Count 1>>',
    `<<${font}>>`,
    `<<${font}/ToUnicode 7 0 R>>`,
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 6 0 R/Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>>>',
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    `<</Length ${toUnicode.length}>>\nstream\n${toUnicode}\nendstream`,
  ]);
}

export const word = (x: number, y: number, text: string, font = 'F1') =>
  text === '' ? '' : `BT /${font} 10 Tf ${x} ${y} Td (${text.replace(/[\\()]/g, '\\$&')}) Tj ET`;

/** One line of cells at these places. */
export const row = (xs: readonly number[], y: number, cells: readonly string[], font = 'F1') =>
  cells.map((cell, i) => word(xs[i] ?? 0, y, cell, font)).join('\n');

/** A row whose cells are drawn one after the other, each with all of its lines. */
export const wrappedRow = (
  xs: readonly number[],
  y: number,
  cells: readonly (readonly string[])[],
  font = 'F1',
) => cells.flatMap((lines, i) => lines.map((line, l) => word(xs[i] ?? 0, y - 12 * l, line, font))).join('\n');

export const around = (table: string) =>
  [
    pdfLines(
      72,
      740,
      [
        'This paragraph is above the table and is as wide as the page allows it to be,',
        'with a second line.',
      ],
      10,
      12,
    ),
    table,
    pdfLines(
      72,
      300,
      [
        'This paragraph is below the table and is as wide as the page allows it to be,',
        'with a second line.',
      ],
      10,
      12,
    ),
  ].join('\n');
