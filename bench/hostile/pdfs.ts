import { deflateSync } from 'node:zlib';
import { encryptedPdf } from '../../test/reader/file/encrypted-pdf.js';
import { ascii85, packedZeros, pdf, pdfOf } from '../../test/reader/file/fixtures.js';
import { file, type HostileInput, repeat } from './input.js';

const catalogue = '<</Type/Catalog/Pages 2 0 R>>';
const font = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>';
const page = (more = '', resources = '/Font<</F1 3 0 R>>') =>
  `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/Resources<<${resources}>>${more}>>`;
const stream = (data: string | Buffer, dictionary = '', length?: number) => {
  const text = typeof data === 'string' ? data : data.toString('latin1');
  return `<</Length ${length ?? text.length}${dictionary}>>\nstream\n${text}\nendstream`;
};
/** One page whose content is object 5. */
const onePage = (content: string, ...more: string[]) => onePageWith(page(), content, ...more);
/** The same for another page; further objects start at 6. */
const onePageWith = (own: string, content: string, ...more: string[]) =>
  pdfOf([catalogue, '<</Type/Pages/Kids[4 0 R]/Count 1>>', font, own, content, ...more]);
const show = 'BT /F1 12 Tf 72 700 Td (Hello) Tj ET';

/** Cells beside each other, for which drawn lines are read. */
const cells = repeat(
  3,
  (i) =>
    `BT /F1 9 Tf 72 ${700 - 20 * i} Td (Nail ${i}) Tj ET BT /F1 9 Tf 200 ${700 - 20 * i} Td (Iron) Tj ET `,
);

/** Zlib data of this many MiB of spaces. */
const zeros = (mebibytes: number) => Buffer.concat([Buffer.from([0x78, 0x9c]), packedZeros(mebibytes)]);

export const pdfs: HostileInput[] = [
  file('a.pdf', 'a stream of 8 GB', () => onePage(stream(zeros(8192), '/Filter/FlateDecode'))),
  file('a.pdf', 'a bomb in base 85', () =>
    onePage(stream(ascii85(zeros(4096)), '/Filter[/ASCII85Decode/FlateDecode]')),
  ),
  file('a.pdf', 'a bomb in an encrypted file', () => encryptedPdf(zeros(4096))),
  file('a.pdf', 'predictor over 8 GB of columns', () =>
    onePage(
      stream(
        zeros(60),
        '/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 2000000000/Colors 32/BitsPerComponent 16>>',
      ),
    ),
  ),
  file('a.pdf', '2,000 streams of 20 MB', () => {
    const one = stream(zeros(20), '/Filter/FlateDecode');
    return onePage(stream(show), ...Array.from({ length: 1500 }, () => one));
  }),
  file('a.pdf', 'a JBIG2 picture of 4 gigapixels', () =>
    onePageWith(
      page('', '/Font<</F1 3 0 R>>/XObject<</X 6 0 R>>'),
      stream(`${show} q /X Do Q`),
      stream(
        Buffer.from('00000000300001000000130000ffff0000ffff00000000000000000000000000', 'hex'),
        '/Type/XObject/Subtype/Image/Width 65535/Height 65535/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/JBIG2Decode',
      ),
    ),
  ),
  file('a.pdf', 'a million pages', () =>
    pdfOf([
      catalogue,
      `<</Type/Pages/Kids[${'3 0 R '.repeat(1_000_000)}]/Count 1000000>>`,
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
    ]),
  ),
  file('a.pdf', 'a page tree in a circle', () =>
    pdfOf([catalogue, '<</Type/Pages/Kids[3 0 R]/Count 5>>', '<</Type/Pages/Kids[2 0 R]/Count 5>>']),
  ),
  file('a.pdf', 'a page tree 5,000 deep', () =>
    pdfOf([
      catalogue,
      ...Array.from({ length: 5000 }, (_, i) => `<</Type/Pages/Kids[${i + 3} 0 R]/Count 1>>`),
      '<</Type/Page/MediaBox[0 0 9 9]>>',
    ]),
  ),
  file('a.pdf', 'a million nested arrays', () => onePage(stream(show), '['.repeat(1_000_000))),
  file('a.pdf', 'a table of two billion objects', () =>
    Buffer.from(
      Buffer.from(pdf([show]))
        .toString('latin1')
        .replace(/xref\n0 \d+/, 'xref\n0 2000000000')
        .replace(/\/Size \d+/, '/Size 2000000000'),
      'latin1',
    ),
  ),
  file('a.pdf', 'a content of 50 MB of letters', () =>
    onePage(
      stream(deflateSync(`BT /F1 12 Tf 72 700 Td ${'(x) Tj '.repeat(7_000_000)} ET`), '/Filter/FlateDecode'),
    ),
  ),
  file('a.pdf', 'forms that show themselves', () =>
    onePageWith(
      page('', '/Font<</F1 3 0 R>>/XObject<</X 6 0 R>>'),
      stream('/X Do /X Do'),
      stream(
        `${show} /X Do /X Do`,
        '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</Font<</F1 3 0 R>>/XObject<</X 6 0 R>>>>',
      ),
    ),
  ),
  file('a.pdf', 'forms nested 40 deep', () =>
    onePageWith(
      page('', '/Font<</F1 3 0 R>>/XObject<</X 6 0 R>>'),
      stream('/X Do /X Do'),
      ...Array.from({ length: 40 }, (_, i) =>
        stream(
          `${i === 39 ? show : '/X Do /X Do'}`,
          `/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</Font<</F1 3 0 R>>/XObject<</X ${7 + i} 0 R>>>>`,
        ),
      ),
    ),
  ),
  file('a.pdf', 'a million lines beside a table', () =>
    onePage(stream(cells + repeat(1_000_000, (i) => `${i % 600} 9 m ${i % 500} ${i % 700} l S\n`))),
  ),
  file('a.pdf', '50 million lines beside a table, in nested forms', () =>
    onePageWith(
      page('', '/Font<</F1 3 0 R>>/XObject<</X 6 0 R>>'),
      stream(`${cells} /X Do`),
      ...Array.from({ length: 8 }, (_, i) =>
        stream(
          i === 7 ? '9 9 m 99 9 l S' : '/X Do '.repeat(13),
          `/Type/XObject/Subtype/Form/BBox[0 0 99 99]/Resources<</XObject<</X ${7 + i} 0 R>>>>`,
        ),
      ),
    ),
  ),
  file('a.pdf', '20,000 fonts', () =>
    onePageWith(
      page('', `/Font<<${repeat(20_000, (i) => `/F${i} ${6 + i} 0 R`)}>>`),
      stream(`BT ${repeat(20_000, (i) => `/F${i} 9 Tf (a) Tj `)} ET`),
      ...Array.from({ length: 20_000 }, (_, i) => `<</Type/Font/Subtype/Type1/BaseFont/Font${i}>>`),
    ),
  ),
  file('a.pdf', 'a font that maps four billion codes', () =>
    pdfOf([
      catalogue,
      '<</Type/Pages/Kids[4 0 R]/Count 1>>',
      '<</Type/Font/Subtype/Type0/BaseFont/A/Encoding/Identity-H/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/A/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/W[0 2000000000 500]/FontDescriptor<</Type/FontDescriptor/FontName/A/Flags 4>>>>]/ToUnicode 6 0 R>>',
      page(),
      stream(show),
      stream(
        'begincmap 1 begincodespacerange <00000000> <ffffffff> endcodespacerange 1 beginbfrange <00000000> <ffffffff> <0041> endbfrange endcmap',
      ),
    ]),
  ),
  file('a.pdf', '200,000 notes on a page', () =>
    onePageWith(
      page(`/Annots[${'6 0 R '.repeat(200_000)}]`),
      stream(show),
      '<</Type/Annot/Subtype/FreeText/Contents(Hello)/DA(/F1 9 Tf)/Rect[0 0 99 99]>>',
    ),
  ),
];
