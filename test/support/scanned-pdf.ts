import { readFileSync } from 'node:fs';
import { pdfOf } from '../reader/file/fixtures.js';
import { projectFile } from './project-folder.js';

/** A picture in a PDF: its data, the dictionary's entries that say how it is encoded, and where it is drawn. */
interface DrawnPicture {
  data: Buffer;
  width: number;
  height: number;
  encoding: string;
  /** Matrix from the unit square to the page. */
  matrix: readonly number[];
}

const fixture = (name: string): Buffer => readFileSync(projectFile(`test/reader/file/scans/${name}`));

/** Bytes of the fax strips in `rental-terms.g4`, and their rows. */
const strips = [
  { from: 0, to: 3538, rows: 524 },
  { from: 3538, to: 3590, rows: 176 },
] as const;

/** A page as a camera stores it: JPEG in grey. */
export const libraryPage = (matrix: readonly number[]): DrawnPicture =>
  jpegPicture(fixture('library.jpg'), 1000, 700, 'Gray', matrix);

export const jpegPicture = (
  data: Buffer,
  width: number,
  height: number,
  space: 'Gray' | 'RGB',
  matrix: readonly number[],
): DrawnPicture => ({
  data,
  width,
  height,
  encoding: `/ColorSpace/Device${space}/BitsPerComponent 8/Filter[/ASCIIHexDecode/DCTDecode]`,
  matrix,
});

/** A page as a fax machine stores it: strips of black and white pixels (ITU-T T.6), 1000 by 700 pixels, English. */
export function rentalTermsPage(width: number, height: number): DrawnPicture[] {
  const data = fixture('rental-terms.g4');
  let top = 700;
  return strips.map(({ from, to, rows }) => {
    top -= rows;
    return {
      data: data.subarray(from, to),
      width: 1000,
      height: rows,
      encoding: `/ColorSpace/DeviceGray/BitsPerComponent 1/Filter[/ASCIIHexDecode/CCITTFaxDecode]/DecodeParms[null<</K -1/Columns 1000/Rows ${rows}/BlackIs1 true>>]`,
      matrix: [width, 0, 0, (height * rows) / 700, 0, (height * top) / 700],
    };
  });
}

/** The same page in one JBIG2 region (ITU-T T.88) with the coding of a fax. */
export function jbig2Page(matrix: readonly number[]): DrawnPicture {
  const [{ from, to, rows }] = strips;
  const numbers = (...values: number[]): Buffer => {
    const bytes = Buffer.alloc(4 * values.length);
    for (const [i, value] of values.entries()) bytes.writeUInt32BE(value, 4 * i);
    return bytes;
  };
  const segment = (number: number, type: number, data: Buffer): Buffer =>
    Buffer.concat([numbers(number), Buffer.of(type, 0, 1), numbers(data.length), data]);
  const page = Buffer.concat([numbers(1000, rows, 0, 0), Buffer.of(0, 0, 0)]);
  const fax = fixture('rental-terms.g4').subarray(from, to);
  const region = Buffer.concat([numbers(1000, rows, 0, 0), Buffer.of(0, 1), fax]);
  return {
    data: Buffer.concat([segment(0, 48, page), segment(1, 38, region)]),
    width: 1000,
    height: rows,
    encoding: '/ColorSpace/DeviceGray/BitsPerComponent 1/Decode[1 0]/Filter[/ASCIIHexDecode/JBIG2Decode]',
    matrix,
  };
}

/** A PDF whose pages have pictures and, if given, text of their own. */
export function scannedPdf(
  pages: readonly {
    size: readonly [number, number];
    pictures: readonly DrawnPicture[];
    text?: string;
    rotate?: number;
  }[],
): Uint8Array {
  const objects: string[] = [];
  const add = (object: string): string => `${objects.push(object) + 3} 0 R`;
  const kids = pages.map(({ size, pictures, text = '', rotate = 0 }) => {
    const names = pictures.map(({ data, width, height, encoding }) => {
      const hex = `${data.toString('hex')}>`;
      return add(
        `<</Type/XObject/Subtype/Image/Width ${width}/Height ${height}${encoding}/Length ${hex.length}>>\nstream\n${hex}\nendstream`,
      );
    });
    const drawn = pictures.map(({ matrix }, i) => `q ${matrix.join(' ')} cm /P${i} Do Q`).join('\n');
    const content = `${drawn}\n${text}`;
    const stream = add(`<</Length ${content.length}>>\nstream\n${content}\nendstream`);
    const resources = names.map((name, i) => `/P${i} ${name}`).join('');
    return add(
      `<</Type/Page/Parent 2 0 R/Rotate ${rotate}/MediaBox[0 0 ${size.join(' ')}]/Contents ${stream}/Resources<</Font<</F1 3 0 R>>/XObject<<${resources}>>>>>>`,
    );
  });
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids.join(' ')}]/Count ${kids.length}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    ...objects,
  ]);
}
