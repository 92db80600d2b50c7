import { deflateSync } from 'node:zlib';
import { encryptedPdf } from '../../test/workers/extract/file/encrypted-pdf.js';
import { ascii85, packedZeros, pdf, pdfLines, pdfOf } from '../../test/workers/extract/file/fixtures.js';
import { type HostileFile, repeat } from './input.js';

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
/** The same with a page of its own; what follows the content are objects 6 and on. */
const onePageWith = (own: string, content: string, ...more: string[]) =>
  pdfOf([catalogue, '<</Type/Pages/Kids[4 0 R]/Count 1>>', font, own, content, ...more]);
const show = 'BT /F1 12 Tf 72 700 Td (Hello) Tj ET';

/** Zlib data of so many MiB of blanks. */
const zeros = (mebibytes: number) => Buffer.concat([Buffer.from([0x78, 0x9c]), packedZeros(mebibytes)]);
const hex = (data: Buffer) => `${data.toString('hex')}>`;

const bombs: HostileFile[] = [
  {
    name: 'pdf: a stream of 8 GB',
    fileName: 'a.pdf',
    make: () => onePage(stream(zeros(8192), '/Filter/FlateDecode')),
  },
  {
    name: 'pdf: packed twice',
    fileName: 'a.pdf',
    make: () => onePage(stream(deflateSync(zeros(8192)), '/Filter[/FlateDecode/FlateDecode]')),
  },
  {
    name: 'pdf: packed, as base 85',
    fileName: 'a.pdf',
    make: () => onePage(stream(ascii85(zeros(4096)), '/Filter[/ASCII85Decode/FlateDecode]')),
  },
  {
    name: 'pdf: packed, as base 85, as hex',
    fileName: 'a.pdf',
    make: () => onePage(stream(hex(Buffer.from(ascii85(zeros(2048)))), '/Filter[/AHx/A85/Fl]')),
  },
  {
    name: 'pdf: filters named elsewhere',
    fileName: 'a.pdf',
    make: () => onePage(stream(ascii85(zeros(4096)), '/Filter 6 0 R'), '[/ASCII85Decode/FlateDecode]'),
  },
  {
    name: 'pdf: a page content that says it is a picture',
    fileName: 'a.pdf',
    make: () => onePage(stream(zeros(4096), '/Subtype/Image/Width 60000/Height 60000/Filter/FlateDecode')),
  },
  {
    name: 'pdf: the dictionary hides behind a comment',
    fileName: 'a.pdf',
    make: () =>
      onePage(stream(ascii85(zeros(4096)), `/Filter[/ASCII85Decode/FlateDecode]%${' '.repeat(9000)}\n`)),
  },
  { name: 'pdf: a bomb in an encrypted file', fileName: 'a.pdf', make: () => encryptedPdf(zeros(4096)) },
  {
    name: 'pdf: predictor over 8 GB of columns',
    fileName: 'a.pdf',
    make: () =>
      onePage(
        stream(
          zeros(60),
          '/Filter/FlateDecode/DecodeParms<</Predictor 15/Columns 2000000000/Colors 32/BitsPerComponent 16>>',
        ),
      ),
  },
  {
    name: 'pdf: 2,000 streams of 20 MB',
    fileName: 'a.pdf',
    make: () => {
      const one = stream(zeros(20), '/Filter/FlateDecode');
      return onePage(stream(show), ...Array.from({ length: 1500 }, () => one));
    },
  },
  {
    name: 'pdf: a JBIG2 picture of 4 gigapixels',
    fileName: 'a.pdf',
    make: () =>
      onePageWith(
        page('', '/Font<</F1 3 0 R>>/XObject<</X 6 0 R>>'),
        stream(`${show} q /X Do Q`),
        stream(
          Buffer.from('00000000300001000000130000ffff0000ffff00000000000000000000000000', 'hex'),
          '/Type/XObject/Subtype/Image/Width 65535/Height 65535/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/JBIG2Decode',
        ),
      ),
  },
  {
    name: 'pdf: an inline picture of 4 GB',
    fileName: 'a.pdf',
    make: () =>
      onePage(
        stream(
          `q BI /W 60000 /H 60000 /BPC 8 /CS /G /F /Fl ID ${zeros(4096).toString('latin1')} EI Q ${show}`,
        ),
      ),
  },
];

const trees: HostileFile[] = [
  {
    name: 'pdf: a million pages',
    fileName: 'a.pdf',
    make: () =>
      pdfOf([
        catalogue,
        `<</Type/Pages/Kids[${'3 0 R '.repeat(1_000_000)}]/Count 1000000>>`,
        '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>',
      ]),
  },
  {
    name: 'pdf: a million pages claimed',
    fileName: 'a.pdf',
    make: () =>
      pdfOf([
        catalogue,
        '<</Type/Pages/Kids[3 0 R]/Count 1000000>>',
        '<</Type/Pages/Parent 2 0 R/Kids[]/Count 1000000>>',
      ]),
  },
  {
    name: 'pdf: 19,000 pages that are not there',
    fileName: 'a.pdf',
    make: () =>
      pdfOf([
        catalogue,
        '<</Type/Pages/Kids[3 0 R]/Count 19000>>',
        '<</Type/Pages/Parent 2 0 R/Kids[]/Count 19000>>',
      ]),
  },
  {
    name: 'pdf: a page tree in a circle',
    fileName: 'a.pdf',
    make: () =>
      pdfOf([catalogue, '<</Type/Pages/Kids[3 0 R]/Count 5>>', '<</Type/Pages/Kids[2 0 R]/Count 5>>']),
  },
  {
    name: 'pdf: a page tree 5,000 deep',
    fileName: 'a.pdf',
    make: () =>
      pdfOf([
        catalogue,
        ...Array.from({ length: 5000 }, (_, i) => `<</Type/Pages/Kids[${i + 3} 0 R]/Count 1>>`),
        '<</Type/Page/MediaBox[0 0 9 9]>>',
      ]),
  },
  {
    name: 'pdf: lengths that refer to themselves',
    fileName: 'a.pdf',
    make: () => onePage('<</Length 5 0 R>>\nstream\nx\nendstream'),
  },
  {
    name: 'pdf: objects that refer to each other',
    fileName: 'a.pdf',
    make: () =>
      pdfOf([
        catalogue,
        '<</Type/Pages/Kids[4 0 R]/Count 1/Resources 6 0 R>>',
        '3 0 R',
        '<</Type/Page/Parent 2 0 R/MediaBox 3 0 R/Contents[5 0 R 5 0 R]/Resources 6 0 R>>',
        '[5 0 R]',
        '7 0 R',
        '6 0 R',
      ]),
  },
  {
    name: 'pdf: a million nested arrays',
    fileName: 'a.pdf',
    make: () => onePage(stream(show), '['.repeat(1_000_000)),
  },
  {
    name: 'pdf: nested arrays in the catalogue',
    fileName: 'a.pdf',
    make: () =>
      pdfOf([`<</Type/Catalog/Pages 2 0 R/X ${'['.repeat(1_000_000)}`, '<</Type/Pages/Kids[]/Count 0>>']),
  },
  {
    name: 'pdf: nested dictionaries in a content',
    fileName: 'a.pdf',
    make: () => onePage(stream(`/A ${'<</B'.repeat(500_000)} BDC ${show}`)),
  },
  {
    name: 'pdf: a stream that says it holds 1 byte',
    fileName: 'a.pdf',
    make: () => onePage(stream(show, '', 1)),
  },
  {
    name: 'pdf: a stream that says it holds 4 GB',
    fileName: 'a.pdf',
    make: () => onePage(stream(show, '', 4_000_000_000)),
  },
  {
    name: 'pdf: a table of two billion objects',
    fileName: 'a.pdf',
    make: () =>
      Buffer.from(
        Buffer.from(pdf([show]))
          .toString('latin1')
          .replace(/xref\n0 \d+/, 'xref\n0 2000000000')
          .replace(/\/Size \d+/, '/Size 2000000000'),
        'latin1',
      ),
  },
  { name: 'pdf: updates in a circle', fileName: 'a.pdf', make: () => pdf([show], '/Prev 9') },
];

const contents: HostileFile[] = [
  {
    name: 'pdf: a content of 50 MB of operators',
    fileName: 'a.pdf',
    make: () => onePage(stream(deflateSync('q 1 0 0 1 0 0 cm Q\n'.repeat(2_700_000)), '/Filter/FlateDecode')),
  },
  {
    name: 'pdf: a content of 50 MB of letters',
    fileName: 'a.pdf',
    make: () =>
      onePage(
        stream(
          deflateSync(`BT /F1 12 Tf 72 700 Td ${'(x) Tj '.repeat(7_000_000)} ET`),
          '/Filter/FlateDecode',
        ),
      ),
  },
  {
    name: 'pdf: one string of 50 MB',
    fileName: 'a.pdf',
    make: () => onePage(stream(`BT /F1 12 Tf 72 700 Td (${'word '.repeat(9_000_000)}) Tj ET`)),
  },
  {
    name: 'pdf: a content that never ends its blocks',
    fileName: 'a.pdf',
    make: () => onePage(stream(`${'BT '.repeat(1_000_000)}${'q '.repeat(1_000_000)}${show}`)),
  },
  {
    name: 'pdf: forms that show themselves',
    fileName: 'a.pdf',
    make: () =>
      onePageWith(
        page('', '/Font<</F1 3 0 R>>/XObject<</X 6 0 R>>'),
        stream('/X Do /X Do'),
        stream(
          `${show} /X Do /X Do`,
          '/Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</Font<</F1 3 0 R>>/XObject<</X 6 0 R>>>>',
        ),
      ),
  },
  {
    name: 'pdf: forms that show two others, 40 deep',
    fileName: 'a.pdf',
    make: () =>
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
  },
  {
    name: 'pdf: 20,000 fonts',
    fileName: 'a.pdf',
    make: () =>
      onePageWith(
        page('', `/Font<<${repeat(20_000, (i) => `/F${i} ${6 + i} 0 R`)}>>`),
        stream(`BT ${repeat(20_000, (i) => `/F${i} 9 Tf (a) Tj `)} ET`),
        ...Array.from({ length: 20_000 }, (_, i) => `<</Type/Font/Subtype/Type1/BaseFont/Font${i}>>`),
      ),
  },
  {
    name: 'pdf: a font that maps four billion codes',
    fileName: 'a.pdf',
    make: () =>
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
  },
  {
    name: 'pdf: an encoding that maps four billion codes',
    fileName: 'a.pdf',
    make: () =>
      pdfOf([
        catalogue,
        '<</Type/Pages/Kids[4 0 R]/Count 1>>',
        '<</Type/Font/Subtype/Type0/BaseFont/A/Encoding 6 0 R/DescendantFonts[<</Type/Font/Subtype/CIDFontType2/BaseFont/A/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/FontDescriptor<</Type/FontDescriptor/FontName/A/Flags 4>>>>]>>',
        page(),
        stream(show),
        stream(
          'begincmap 1 begincodespacerange <00> <ff> endcodespacerange 100 begincidrange <00000000> <00fffffe> 0 endcidrange endcmap',
          '/Type/CMap/CMapName/X/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>',
        ),
      ]),
  },
  {
    name: 'pdf: 200,000 notes on a page',
    fileName: 'a.pdf',
    make: () =>
      onePageWith(
        page(`/Annots[${'6 0 R '.repeat(200_000)}]`),
        stream(show),
        '<</Type/Annot/Subtype/FreeText/Contents(Hello)/DA(/F1 9 Tf)/Rect[0 0 99 99]>>',
      ),
  },
  {
    name: 'pdf: a title of 40 MB',
    fileName: 'a.pdf',
    make: () =>
      pdfOf(
        [
          catalogue,
          '<</Type/Pages/Kids[4 0 R]/Count 1>>',
          font,
          page(),
          stream(show),
          `<</Title(${'T'.repeat(40_000_000)})>>`,
        ],
        '/Info 6 0 R',
      ),
  },
  {
    name: 'pdf: 2,000 pages of 25,000 letters',
    fileName: 'a.pdf',
    make: () => {
      const content = stream(
        pdfLines(
          72,
          700,
          Array.from({ length: 50 }, () => 'word '.repeat(100)),
        ),
      );
      return pdfOf([
        catalogue,
        `<</Type/Pages/Kids[${'4 0 R '.repeat(2000)}]/Count 2000>>`,
        font,
        page(),
        content,
      ]);
    },
  },
];

export const pdfs: HostileFile[] = [...bombs, ...trees, ...contents];
