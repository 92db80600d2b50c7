import { cidTable } from '../../../reader/file/pdf/open/cid-collections.js';
import { extractFile } from '../../../workers/threads/file.thread.js';
import t from '../../support/t.js';
import { pdf, pdfLines, pdfOf, textOf } from './fixtures.js';

const text = async (contents: readonly string[]) =>
  textOf(await extractFile({ bytes: pdf(contents), fileName: 'a.pdf' }));

const wide = [
  'This is a paragraph that has been set in lines which all reach the right mar-',
  'gin of the column, so that its words were wrapped and hyphenated by whoever',
  'made the page. It ends here.',
];

t.test('wrapped lines become paragraphs, and hyphenated words are joined', async (t) => {
  const shown = await text([pdfLines(72, 700, wide) + pdfLines(72, 600, ['A new paragraph.'])]);
  t.equal(
    shown,
    'This is a paragraph that has been set in lines which all reach the right margin of the column, so that its words were wrapped and hyphenated by whoever made the page. It ends here.\n\nA new paragraph.',
  );
});

t.test('compounds keep their hyphen, lists keep their lines', async (t) => {
  const lines = [
    '1. First point of the list that is long enough to reach the edge',
    '2. Second of a state-of-the-',
    'art list',
  ];
  t.equal(await text([pdfLines(72, 700, lines)]), `${lines[0]}\n2. Second of a state-of-the-art list`);
});

t.test('a hyphen at the end of a line stays in addresses, numbers and compounds', async (t) => {
  const lines = [
    'Our half-price tickets can be ordered at the address box@old-',
    'mill.example, or at https://old-mill.example/half-',
    'price by all guests. A half-',
    'price ticket has the number 40-77-',
    '12 on it, and a price. They took over half the hall, and wor-',
    'ked on- and off-',
    'line in the wide Rhine-',
    'Main region until then and beyond it, at last, with Mrs Miller-',
    'Jones. Its number is ZB-',
    '41-',
    'X2 there.',
  ];
  const shown = (await text([pdfLines(72, 700, lines)])).replace(/\s+/g, ' ');
  t.match(shown, 'box@old-mill.example, or at https://old-mill.example/half-price by');
  t.match(shown, 'A half-price ticket has the number 40-77-12 on it');
  t.match(shown, 'hall, and worked on- and offline in');
  t.match(shown, 'wide Rhine-Main region');
  t.match(shown, 'with Mrs Miller-Jones. Its number is ZB-41-X2 there.');
});

t.test('columns are not interleaved', async (t) => {
  const left = ['left one two three', 'left four five six'];
  const right = ['right one two three', 'right four five six'];
  const shown = await text([pdfLines(72, 700, left) + pdfLines(320, 700, right)]);
  t.match(shown.replace(/\s+/g, ' '), /left one two three left four five six right one two three right four/);
});

t.test('cells of a table stay apart', async (t) => {
  const line = (y: number, cells: string[]) =>
    cells.map((cell, i) => pdfLines(72 + i * 120, y, [cell])).join('\n');
  t.equal(
    await text([`${line(700, ['Name', 'Price'])}\n${line(686, ['Pen', '2.50'])}`]),
    'Name\tPrice\nPen\t2.50',
  );
});

t.test('pages are separated by a blank line, and counted', async (t) => {
  const bytes = pdf(
    [pdfLines(72, 700, ['Page one']), pdfLines(72, 700, ['Page two'])],
    '/Info<</Title(A fine report)>>',
  );
  const result = await extractFile({ bytes, fileName: 'a.pdf' });
  t.equal(textOf(result), 'Page one\n\nPage two');
  t.match(result, {
    extraction: { title: 'A fine report', metadata: { pages: 2, titleSource: 'properties' } },
  });
});

t.test('ignores default titles of programs', async (t) => {
  for (const title of ['untitled', 'Microsoft Word - letter.doc', 'report_final.docx', '']) {
    const bytes = pdf([pdfLines(72, 700, ['Hello'])], `/Info<</Title(${title})>>`);
    t.match(
      await extractFile({ bytes, fileName: 'a.pdf' }),
      { ok: true, extraction: { title: null } },
      title,
    );
  }
});

/** One line in a font that is not embedded and names its code table. */
const asianPdf = (encoding: string, ordering: string, hex: string) => {
  const content = `BT /F1 20 Tf 72 700 Td <${hex}> Tj ET`;
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>',
    `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    `<</Type/Font/Subtype/Type0/BaseFont/Some-Font/Encoding/${encoding}/DescendantFonts[6 0 R]>>`,
    `<</Type/Font/Subtype/CIDFontType0/BaseFont/Some-Font/CIDSystemInfo<</Registry(Adobe)/Ordering(${ordering})/Supplement 2>>/DW 1000/FontDescriptor 7 0 R>>`,
    '<</Type/FontDescriptor/FontName/Some-Font/Flags 4/FontBBox[0 0 1000 1000]/Ascent 900/Descent -100/ItalicAngle 0/CapHeight 700/StemV 80>>',
  ]);
};

t.test('CJK fonts without a Unicode table are read by their code table', async (t) => {
  const cases: [string, string, string, string][] = [
    ['EUC-H', 'Japan1', 'a4a2a4a4b4c1bbfa', 'あい漢字'],
    ['90ms-RKSJ-H', 'Japan1', '82a082a241', 'あいA'],
    ['H', 'Japan1', '24222424', 'あい'],
    ['UniJIS-UCS2-H', 'Japan1', '30426f225b57', 'あ漢字'],
    ['GBK-EUC-H', 'GB1', 'babad7d6', '汉字'],
    ['ETen-B5-H', 'CNS1', 'ba7ea672', '漢字'],
    ['KSCms-UHC-H', 'Korea1', 'b0a1b3aa', '가나'],
    ['Identity-H', 'Japan1', '034b034d', 'あい'],
    ['Identity-H', 'Korea1', '043e', '가'],
    ['Identity-H', 'GB1', '03ac', '啊'],
  ];
  for (const [encoding, ordering, hex, shown] of cases) {
    const result = await extractFile({ bytes: asianPdf(encoding, ordering, hex), fileName: 'a.pdf' });
    t.equal(textOf(result), shown, `${encoding} ${ordering}`);
  }
});

t.test('the character collections match their standards up to the last character', (t) => {
  const lasts: ['Japan1' | 'GB1' | 'Korea1', number, string][] = [
    ['Japan1', 4089, '腕'],
    ['Japan1', 7477, '瑤'],
    ['GB1', 4694, '座'],
    ['GB1', 7702, '齄'],
    ['Korea1', 3435, '힝'],
    ['Korea1', 8055, '詰'],
  ];
  for (const [ordering, cid, char] of lasts)
    t.equal(cidTable(ordering).unicodeOfCid.get(cid), char, `${ordering} ${cid}`);
  t.end();
});

t.test('an unreadable page is left out with a note', async (t) => {
  const content = 'BT /F1 12 Tf 72 700 Td (Hello) Tj ET';
  const readable =
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/Resources<</Font<</F1 3 0 R>>>>>>';
  const result = await extractFile({
    fileName: 'a.pdf',
    bytes: pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[4 0 R 6 0 R 8 0 R]/Count 3>>',
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
      readable,
      `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
      '<</Type/Pages/Parent 2 0 R/Kids[7 0 R]/Count 1>>',
      '(no page)',
      readable,
    ]),
  });
  t.match(result, { ok: true, extraction: { metadata: { pages: 3, truncated: true } } });
  t.equal(textOf(result), 'Hello\n\nHello');
});
