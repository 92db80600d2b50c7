import {
  docx,
  docxEntries,
  paragraph,
  pptx,
  relationships,
  row,
  shape,
  wordPart,
  xlsx,
  xlsxEntries,
  zipOf,
} from '../../test/workers/extract/file/fixtures.js';
import { type HostileFile, repeat } from './input.js';

const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
const nested = (depth: number) =>
  `${'<w:tbl><w:tr><w:tc>'.repeat(depth)}${paragraph('inside')}${'</w:tc></w:tr></w:tbl>'.repeat(depth)}`;

const words: HostileFile[] = [
  {
    name: 'docx: a million paragraphs',
    fileName: 'a.docx',
    make: () => docx(repeat(1_000_000, (i) => `<w:p><w:r><w:t>${i}</w:t></w:r></w:p>`)),
  },
  { name: 'docx: tables 120 deep, 300 times', fileName: 'a.docx', make: () => docx(nested(120).repeat(300)) },
  {
    name: 'docx: a table of a million cells',
    fileName: 'a.docx',
    make: () => docx(`<w:tbl>${`<w:tr>${cell('x').repeat(60)}</w:tr>`.repeat(16_000)}</w:tbl>`),
  },
  {
    name: 'docx: a row of 500,000 cells above 500 rows',
    fileName: 'a.docx',
    make: () =>
      docx(
        `<w:tbl><w:tr>${cell('x').repeat(500_000)}</w:tr>${`<w:tr>${cell('y')}</w:tr>`.repeat(500)}</w:tbl>`,
      ),
  },
  {
    name: 'docx: styles based on each other 50,000 deep',
    fileName: 'a.docx',
    make: () =>
      docx(paragraph('text', '<w:pStyle w:val="s0"/>').repeat(50_000), [
        wordPart(
          'styles',
          'styles',
          repeat(50_000, (i) => `<w:style w:styleId="s${i}"><w:basedOn w:val="s${i + 1}"/></w:style>`),
        ),
      ]),
  },
  {
    name: 'docx: list numbers of 100,000 letters',
    fileName: 'a.docx',
    make: () =>
      docx(paragraph('x', '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>').repeat(20_000), [
        wordPart(
          'numbering',
          'numbering',
          `<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:numFmt w:val="decimal"/><w:lvlText w:val="${'%1'.repeat(50_000)}"/></w:lvl></w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`,
        ),
      ]),
  },
  {
    name: 'docx: one header referred to 300,000 times',
    fileName: 'a.docx',
    make: () =>
      zipOf([
        ...docxEntries(paragraph('Hello')).filter(({ name }) => name !== 'word/_rels/document.xml.rels'),
        relationships(
          'word/document.xml',
          Array.from({ length: 300_000 }, (_, i) => [`r${i}`, 'header', 'header1.xml'] as const),
        ),
        wordPart('header1', 'hdr', paragraph('Head')),
      ]),
  },
  {
    name: 'docx: 100,000 charts among 100,000 relationships',
    fileName: 'a.docx',
    make: () =>
      zipOf([
        ...docxEntries(
          `<w:p><w:r>${repeat(100_000, (i) => `<c:chart xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="x${i}"/>`)}<w:t>Hello</w:t></w:r></w:p>`,
        ).filter(({ name }) => name !== 'word/_rels/document.xml.rels'),
        relationships(
          'word/document.xml',
          Array.from({ length: 100_000 }, (_, i) => [`r${i}`, 'chart', 'chart.xml'] as const),
        ),
      ]),
  },
  {
    name: 'docx: 300,000 footnotes',
    fileName: 'a.docx',
    make: () =>
      docx(
        repeat(300_000, (i) => `<w:p><w:r><w:footnoteReference w:id="${i}"/></w:r></w:p>`),
        [
          wordPart(
            'footnotes',
            'footnotes',
            repeat(300_000, (i) => `<w:footnote w:id="${i}">${paragraph('note')}</w:footnote>`),
          ),
        ],
      ),
  },
];

const strings = (count: number, text: (i: number) => string) =>
  repeat(count, (i) => `<si><t>${text(i)}</t></si>`);
const wide = repeat(1_000_000, (i) => `<mergeCell ref="A${i + 1}:XFD${i + 1}"/>`);

const sheets: HostileFile[] = [
  {
    name: 'xlsx: validations and merges of whole columns',
    fileName: 'a.xlsx',
    make: () =>
      xlsx([
        {
          name: 'A',
          rows: row(['x', 1]),
          after: `<mergeCells>${wide}</mergeCells><dataValidations>${'<dataValidation sqref="A1:XFD1048576" type="list"><formula1>"a,b"</formula1></dataValidation>'.repeat(100_000)}</dataValidations>`,
        },
      ]),
  },
  {
    name: 'xlsx: cells at the far corners',
    fileName: 'a.xlsx',
    make: () =>
      xlsx([
        {
          name: 'A',
          rows: '<row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row><row r="1048576"><c r="XFD1048576"><v>3</v></c></row><row r="99999999999"><c r="ZZZZZZZZZZZZ99999999"><v>4</v></c></row>',
        },
      ]),
  },
  {
    name: 'xlsx: a million shared strings',
    fileName: 'a.xlsx',
    make: () =>
      xlsx([{ name: 'A', rows: repeat(1_000_000, (i) => `<row><c t="s"><v>${i}</v></c></row>`) }], {
        strings: strings(1_000_000, (i) => `string ${i}`),
      }),
  },
  {
    name: 'xlsx: one string of 30,000 letters, a million times',
    fileName: 'a.xlsx',
    make: () =>
      xlsx([{ name: 'A', rows: '<row><c t="s"><v>0</v></c></row>'.repeat(1_000_000) }], {
        strings: strings(1, () => 'x'.repeat(30_000)),
      }),
  },
  {
    name: 'xlsx: rows of 16,384 cells',
    fileName: 'a.xlsx',
    make: () => xlsx([{ name: 'A', rows: `<row>${'<c><v>1</v></c>'.repeat(16_384)}</row>`.repeat(300) }]),
  },
  {
    name: 'xlsx: a row of five million cells',
    fileName: 'a.xlsx',
    make: () => xlsx([{ name: 'A', rows: `<row>${'<c><v>1</v></c>'.repeat(5_000_000)}</row>` }]),
  },
  {
    name: 'xlsx: 200,000 cell formats',
    fileName: 'a.xlsx',
    make: () =>
      xlsx([{ name: 'A', rows: repeat(200_000, (i) => `<row><c s="${i}"><v>1.5</v></c></row>`) }], {
        styles: `<numFmts>${repeat(200_000, (i) => `<numFmt numFmtId="${i + 200}" formatCode="${'[h]:#,##0.00_);\\-'.repeat(20)}"/>`)}</numFmts><cellXfs>${repeat(200_000, (i) => `<xf numFmtId="${i + 200}"/>`)}</cellXfs>`,
      }),
  },
  {
    name: 'xlsx: 200,000 sheets that are one part',
    fileName: 'a.xlsx',
    make: () =>
      zipOf(
        xlsxEntries([{ name: 'A', rows: row(['x', 1]).repeat(100) }]).map((one) =>
          one.name === 'xl/workbook.xml'
            ? { ...one, text: `${one.text}`.replace(/<sheet .*?\/>/, (sheet) => sheet.repeat(200_000)) }
            : one,
        ),
      ),
  },
];

const slides: HostileFile[] = [
  {
    name: 'pptx: 10,000 slides',
    fileName: 'a.pptx',
    make: () => pptx(Array.from({ length: 10_000 }, (_, i) => ({ shapes: shape(`Slide ${i}`) }))),
  },
  {
    name: 'pptx: one slide shown a million times',
    fileName: 'a.pptx',
    make: () =>
      pptx(
        [{ shapes: shape('Slide') }],
        Array.from({ length: 1_000_000 }, () => 0),
      ),
  },
  {
    name: 'pptx: a million shapes',
    fileName: 'a.pptx',
    make: () => pptx([{ shapes: shape('x').repeat(500_000) }]),
  },
  {
    name: 'pptx: groups 390 deep',
    fileName: 'a.pptx',
    make: () => pptx([{ shapes: '<p:grpSp>'.repeat(380) + shape('x') + '</p:grpSp>'.repeat(380) }]),
  },
];

export const documents: HostileFile[] = [...words, ...sheets, ...slides];
