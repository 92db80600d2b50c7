import {
  docx,
  docxEntries,
  packedZeros,
  paragraph,
  pptx,
  row,
  shape,
  wordPart,
  xlsx,
  zipOf,
} from '../../test/reader/file/fixtures.js';
import { file, type HostileInput, repeat } from './input.js';

const DOCUMENT = 'word/document.xml';
const documentOf = (entry: object) =>
  docxEntries(paragraph('Hello')).map((one) => (one.name === DOCUMENT ? { ...one, ...entry } : one));
const withDoctype = (doctype: string, body: string) =>
  docxEntries(`<w:p><w:r><w:t>${body}</w:t></w:r></w:p>`).map((one) =>
    one.name === DOCUMENT ? { ...one, text: `${one.text}`.replace('?>', `?>${doctype}`) } : one,
  );
const laughs = repeat(12, (i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`);
const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
const nested = (depth: number) =>
  `${'<w:tbl><w:tr><w:tc>'.repeat(depth)}${paragraph('inside')}${'</w:tc></w:tr></w:tbl>'.repeat(depth)}`;
const sheet = (rows: string, more: object = {}, parts: object = {}) =>
  xlsx([{ name: 'A', rows, ...more }], parts);
const merges = repeat(1_000_000, (i) => `<mergeCell ref="A${i + 1}:XFD${i + 1}"/>`);

export const office: HostileInput[] = [
  file('a.docx', 'a part of 4 GB', () =>
    zipOf(documentOf({ packed: packedZeros(4096), size: 0xffffff00, crc: 1 })),
  ),
  file('a.docx', 'a part of 4 GB that declares 10 bytes', () =>
    zipOf(documentOf({ packed: packedZeros(4096), size: 10, crc: 1 })),
  ),
  file('a.docx', 'a billion laughs', () =>
    zipOf(withDoctype(`<!DOCTYPE x [<!ENTITY e0 "ha">${laughs}]>`, 'before &e12; after')),
  ),
  file('a.docx', 'external entities', () =>
    zipOf(withDoctype('<!DOCTYPE x [<!ENTITY o SYSTEM "file:///dev/random">]>', 'before &o; after')),
  ),
  file('a.docx', 'a million nested elements', () =>
    docx('<w:sdt>'.repeat(1_000_000) + '</w:sdt>'.repeat(1_000_000)),
  ),
  file('a.docx', 'a million attributes', () => docx(`<w:p ${repeat(1_000_000, (i) => `a${i}="" `)}/>`)),
  file('a.docx', '300 elements with 500 namespaces each', () =>
    docx(
      repeat(300, (i) => `<w:sdt ${repeat(500, (n) => `xmlns:n${i}_${n}="u" `)}>`) + '</w:sdt>'.repeat(300),
    ),
  ),
  file('a.docx', 'one text of 60 MB', () =>
    docx(`<w:p><w:r><w:t>${'word '.repeat(12_000_000)}</w:t></w:r></w:p>`),
  ),
  file('a.docx', '300 tables nested 120 deep', () => docx(nested(120).repeat(300))),
  file('a.docx', 'a row of 500,000 cells above 500 rows', () =>
    docx(
      `<w:tbl><w:tr>${cell('x').repeat(500_000)}</w:tr>${`<w:tr>${cell('y')}</w:tr>`.repeat(500)}</w:tbl>`,
    ),
  ),
  file('a.docx', 'a chain of 50,000 styles', () =>
    docx(paragraph('text', '<w:pStyle w:val="s0"/>').repeat(50_000), [
      wordPart(
        'styles',
        'styles',
        repeat(50_000, (i) => `<w:style w:styleId="s${i}"><w:basedOn w:val="s${i + 1}"/></w:style>`),
      ),
    ]),
  ),
  file('a.xlsx', 'validations and merges of whole columns', () =>
    sheet(row(['x', 1]), {
      after: `<mergeCells>${merges}</mergeCells><dataValidations>${'<dataValidation sqref="A1:XFD1048576" type="list"><formula1>"a,b"</formula1></dataValidation>'.repeat(100_000)}</dataValidations>`,
    }),
  ),
  file('a.xlsx', 'one string of 30,000 letters, a million times', () =>
    sheet(
      '<row><c t="s"><v>0</v></c></row>'.repeat(1_000_000),
      {},
      { strings: `<si><t>${'x'.repeat(30_000)}</t></si>` },
    ),
  ),
  file('a.xlsx', 'a row of five million cells', () =>
    sheet(`<row>${'<c><v>1</v></c>'.repeat(5_000_000)}</row>`),
  ),
  file('a.pptx', 'one slide shown a million times', () =>
    pptx(
      [{ shapes: shape('Slide') }],
      Array.from({ length: 1_000_000 }, () => 0),
    ),
  ),
];
