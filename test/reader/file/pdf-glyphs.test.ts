import { deflateSync } from 'node:zlib';
import { lacksLetters } from '../../../reader/file/pdf/lines/legible.js';
import { textItems } from '../../../reader/file/pdf/lines/replaced-text.js';
import { tagOf } from '../../../reader/file/pdf/repair/actual-text.js';
import { withClusterCodes, withClusters } from '../../../reader/file/pdf/repair/unicode-maps.js';
import { extractFile } from '../../../workers/threads/file.thread.js';
import t from '../../support/t.js';
import { pdfOf, textOf } from './fixtures.js';

const read = async (bytes: Uint8Array) => textOf(await extractFile({ bytes, fileName: 'a.pdf' }));
const stream = (content: string) => `<</Length ${content.length}>>\nstream\n${content}\nendstream`;
const packed = (content: string) => {
  const data = deflateSync(content).toString('latin1');
  return `<</Filter/FlateDecode/Length ${data.length}>>\nstream\n${data}\nendstream`;
};

/** A page of Helvetica (F1) and another font (F2, from object 6 on). */
const page = (content: string, ...fonts: string[]) =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/Resources<</Font<</F1 4 0 R/F2 6 0 R>>>>>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    packed(content),
    ...fonts,
  ]);

const show = (...parts: [font: string, text: string][]) =>
  `BT 72 700 Td ${parts.map(([font, text]) => `/${font} 12 Tf (${text}) Tj`).join(' ')} ET`;
const simple = (more: string) =>
  `<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+Mill/FirstChar 0/LastChar 9/Widths[${'500 '.repeat(10)}]${more}>>`;
const map = (lines: string) =>
  `begincmap 1 begincodespacerange <00> <ff> endcodespacerange 9 beginbfchar ${lines} endbfchar endcmap`;

t.test('glyph names lose their suffix, also where a Unicode map has holes', async (t) => {
  const differences = '/Encoding<</Type/Encoding/Differences[1/three.onum/u00ED.alt/f_i/seven.tf]>>';
  t.equal(
    await read(
      page(
        show(['F1', 'Room '], ['F2', '\\001\\004'], ['F1', ', p'], ['F2', '\\002\\003']),
        simple(differences),
      ),
    ),
    'Room 37, pífi',
  );
  const holes = page(
    show(['F1', 'Room '], ['F2', '\\001\\004']),
    simple(`${differences}/ToUnicode 7 0 R`),
    packed(map('<01> <FFFD> <02> <00ED>')),
  );
  t.equal(await read(holes), 'Room 37');
});

t.test('names of glyphs count where a map lists no character, a blank or a private one', async (t) => {
  const differences = '/Encoding<</Type/Encoding/Differences[1/three.onum/eight/seven.tf]>>/ToUnicode 7 0 R';
  const shown = (map: string) =>
    read(
      page(show(['F1', 'Room '], ['F2', '\\001\\002\\003'], ['F1', '.']), simple(differences), packed(map)),
    );
  for (const target of ['FFFD', '', 'E0A7', '0020', 'F738'])
    t.equal(await shown(map(`<01> <0033> <02> <${target}> <03> <0037>`)), 'Room 387.', target);
  const list = 'begincmap 1 beginbfrange <01> <03> [<0033> <FFFD> <0037>] endbfrange endcmap';
  t.equal(await shown(list), 'Room 387.');
});

t.test('names of several letters, old-style digits and codes without any meaning', async (t) => {
  const differences = (names: string) => `/Encoding<</Type/Encoding/Differences[1${names}]>>`;
  const shown = (names: string, text: string) =>
    read(page(show(['F1', 'Ra'], ['F2', text], ['F1', '.']), simple(differences(names))));
  t.equal(await shown('/f_t.liga/f_f_j', '\\001\\002'), 'Raftffj.');
  t.equal(await shown('/threeoldstyle/Asmall', '\\001\\002'), 'Ra3a.');
  const unmapped = page(
    show(['F1', 'Ra'], ['F2', '\\000\\001\\000\\002'], ['F1', '.']),
    '<</Type/Font/Subtype/Type0/BaseFont/Mill/Encoding/Identity-H/DescendantFonts[8 0 R]/ToUnicode 7 0 R>>',
    packed(map('<0001> <0034>')),
    '<</Type/Font/Subtype/CIDFontType2/BaseFont/Mill/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>/DW 500/FontDescriptor 9 0 R>>',
    '<</Type/FontDescriptor/FontName/Mill/Flags 4/FontBBox[0 0 1000 1000]/ItalicAngle 0/Ascent 800/Descent -200/CapHeight 700/StemV 80>>',
  );
  t.equal(await read(unmapped), 'Ra4\ufffd.', 'a glyph is never lost silently');
});

t.test('symbol fonts show symbols', async (t) => {
  const font = (name: string, more = '') => `<</Type/Font/Subtype/TrueType/BaseFont/${name}${more}>>`;
  const content = show(['F1', 'Yes: '], ['F2', '\\374'], ['F1', ' No: '], ['F2', '\\373']);
  t.equal(await read(page(content, font('ABCDEF+Wingdings-Regular'))), 'Yes: ✓ No: ✗');
  t.equal(
    await read(page(content, font('Wingdings', '/ToUnicode 7 0 R'), stream(map('<FC> <F0FC> <FB> <00FB>')))),
    'Yes: ✓ No: ✗',
  );
  const dingbats = '/Encoding<</Type/Encoding/Differences[251/a24 252/a20]>>';
  t.equal(await read(page(content, font('ZapfDingbats', dingbats))), 'Yes: ✔ No: ✘');
});

t.test('a replacement text is read instead of its glyphs', async (t) => {
  const content =
    'BT /F1 12 Tf 72 700 Td (Sea) Tj /Span<</ActualText()>>BDC (-) Tj EMC (side ) Tj (A ) Tj /Span<</MCID 1/ActualText<FEFF00EF0301>>>BDC (xy) Tj EMC ( and ) Tj /Span <</ActualText (caf\\351)/Lang(fr)>> BDC (c) Tj (f) Tj EMC (.) Tj ET';
  t.equal(await read(page(content, simple(''))), 'Seaside A ḯ and café.');
});

t.test('a replacement text covers its glyphs, and marks without width add no blank', async (t) => {
  const item = (str: string, x: number, width: number) => ({
    ...{ str, width, height: 10, hasEOL: false },
    transform: [10, 0, 0, 10, x, 700],
  });
  const part = (text: string) => ({ type: 'beginMarkedContentProps', tag: tagOf(text).slice(1) });
  const end = { type: 'endMarkedContent' };
  const drawn = [
    part('لًا'),
    item('\u064b', 22, 0),
    item(' ', 20, 0),
    item('ﻻ', 20, 6),
    end,
    item(' ', 26, 0),
    item('x', 26, 5),
  ];
  const items = textItems(drawn, []);
  t.strictSame(
    items.map(({ str, transform, width }) => [str, transform[4], width]),
    [
      ['لًا', 20, 6],
      ['x', 26, 5],
    ],
  );
});

t.test('a replacement text may stand in a list that the page names', async (t) => {
  const shown = (tag: string) =>
    stream(`BT /F1 12 Tf 72 700 Td (Dose: ) Tj /Span /${tag} BDC (xx) Tj EMC ( a day) Tj ET`);
  const pageWith = (contents: string, properties: string) =>
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents ${contents}/Resources<</Font<</F1 5 0 R>>/Properties ${properties}>>>>`;
  const bytes = pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R 4 0 R]/Count 2>>',
    pageWith('[6 0 R]', '<</MC0 8 0 R>>'),
    pageWith('7 0 R', '9 0 R'),
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    shown('MC0'),
    shown('MC0'),
    '<</ActualText(15 mg)/MCID 0>>',
    '<</MC0<</Lang(en)/ActualText<FEFF003200300020006D0067>>>>>',
  ]);
  const text = await read(bytes);
  t.match(text, /Dose: 15 mg a day[\s\S]*Dose: 20 mg a day/);
});

t.test('a replacement text may belong to an element of the structure', async (t) => {
  const bytes = pdfOf([
    '<</Type/Catalog/Pages 2 0 R/StructTreeRoot 6 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/StructParents 0/Resources<</Font<</F1 4 0 R>>>>>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    stream('BT /F1 12 Tf 72 700 Td /P <</MCID 0>> BDC (Dose: ) Tj EMC /Span <</MCID 1>> BDC (xx) Tj EMC ET'),
    '<</Type/StructTreeRoot/K 7 0 R>>',
    '<</Type/StructElem/S/Span/P 6 0 R/Pg 3 0 R/K 1/ActualText(15 mg)>>',
  ]);
  t.equal(await read(bytes), 'Dose: 15 mg');
});

t.test('a glyph of a letter with a mark keeps its letters, although pdf.js sees one character', async (t) => {
  const clusters: string[] = [];
  const coded = withClusterCodes(map('<01> <0938094D> <02> <0924>'), clusters);
  t.match(coded, '<01> <dbc0dc00> <02> <0924>');
  t.equal(withClusters('\u{100000}त', clusters), 'स्त');
  const shown = page(
    show(['F2', 'AB'], ['F1', ' 12']),
    '<</Type/Font/Subtype/Type1/BaseFont/ABCDEF+Mill/FirstChar 65/LastChar 66/Widths[600 500]/ToUnicode 7 0 R>>',
    packed(map('<41> <0938094D> <42> <0924>')),
  );
  t.equal(await read(shown), 'स्त 12');
});

t.test('a page with more than two unknown glyphs in a hundred has gaps, bullets do not count', async (t) => {
  const sentence = 'The ferry leaves at nine and returns at six on every day of the week. ';
  t.ok(lacksLetters(`${sentence}The \ufffderry costs 1\ufffd euro.`));
  t.notOk(lacksLetters(`${sentence.repeat(10)}The \ufffderry costs 1\ufffd euro.`));
  t.notOk(lacksLetters('\uf0b7 one\n\uf0b7 two\n\uf0b7 three'));
});
