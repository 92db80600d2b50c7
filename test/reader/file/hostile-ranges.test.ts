import { defaultLimits } from '../../../reader/file/limits.js';
import { decodeAscii85 } from '../../../reader/file/pdf/open/ascii-filters.js';
import { extractFile } from '../../../workers/threads/file.thread.js';
import { extractFileWithin } from '../../support/extract-within.js';
import t from '../../support/t.js';
import { ascii85, codeOf, docx, packedZeros, paragraph, pdfOf, textOf, wordPart, xlsx } from './fixtures.js';

const page = (data: string, dictionary: string, ...more: string[]) =>
  pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[4 0 R]/Count 1>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
    '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/Resources<</Font<</F1 3 0 R>>>>>>',
    `<</Length ${data.length}${dictionary}>>\nstream\n${data}\nendstream`,
    ...more,
  ]);

const code = async (bytes: Uint8Array, fileName = 'a.pdf') => codeOf(await extractFile({ bytes, fileName }));

t.test('base 85 is decoded', async (t) => {
  for (const length of [0, 1, 2, 3, 4, 5, 8, 11]) {
    const data = Buffer.from([0, 0, 0, 0, 255, 254, 1, 2, 3, 4, 255]).subarray(0, length);
    t.same(decodeAscii85(Buffer.from(ascii85(data))).bytes, data);
  }
});

t.test('rejects a base 85 bomb, even if its filters are named elsewhere or hidden', async (t) => {
  const bomb = ascii85(Buffer.concat([Buffer.from([0x78, 0x9c]), packedZeros(400)]));
  const filters = '[/ASCII85Decode/FlateDecode]';
  t.equal(await code(page(bomb, `/Filter${filters}`)), 'FILE_TOO_COMPLEX');
  t.equal(await code(page(bomb, '/Filter 6 0 R', filters)), 'FILE_TOO_COMPLEX');
  t.equal(await code(page(bomb, `/Filter${filters}%${' '.repeat(9000)}\n`)), 'FILE_TOO_COMPLEX');
});

t.test('rejects widths for two billion glyphs, but not the byte ranges of a signature', async (t) => {
  const content = 'BT /F1 12 Tf 72 700 Td (Hello) Tj ET';
  t.equal(await code(page(content, '', '<</W[0 2000000000 500]>>')), 'FILE_TOO_COMPLEX');
  t.equal(await code(page(content, '', '<</ByteRange[0 999999999 999999999 100]>>')), 'ok');
  t.equal(
    await code(page(content, '', '<</Contents(Tel. 0 1711234567 2)/BBox[0 0 2147483647 2147483647]>>')),
    'ok',
  );
});

t.test('nested lists of layers and long blanks in elements are read in linear time', async (t) => {
  const content = '/OC /A BDC BT /F1 12 Tf 72 700 Td (Hello) Tj ET EMC /P <</MCID 0>> BDC EMC';
  const nested = (i: number) => `/B${i}<<${'/A<<'.repeat(2_600)}${'>>'.repeat(2_601)}`;
  const pages = Array.from(
    { length: 60 },
    (_, i) => `<</Type/Page/Contents 9 0 R/Resources<</Properties<<${nested(i)}>>>>>>`,
  );
  const elements = Array.from(
    { length: 200 },
    () => `<</ActualText(Hello)/Pg 4 0 R/K${' '.repeat(16_000)}x>>`,
  );
  const bytes = page(
    content,
    '',
    '<</OCProperties<</OCGs[7 0 R]/D<</OFF[7 0 R]>>>>>>',
    '<</Type/OCG>>',
    ...pages,
    ...elements,
  );
  t.match(textOf(await extractFile({ bytes, fileName: 'a.pdf' })), 'Hello');
});

t.test('a long run of accents keeps the first ones', async (t) => {
  const bytes = new TextEncoder().encode(`a${'\u0315\u0300'.repeat(200_000)} and more`);
  const text = textOf(await extractFile({ bytes, fileName: 'a.txt' }));
  t.match(text, /^\p{L}\p{M}+ and more$/u);
  t.ok(text.length < 50);
});

t.test('circular styles and endless namespaces terminate', async (t) => {
  const chain = Array.from(
    { length: 5000 },
    (_, i) => `<w:style w:styleId="s${i}"><w:basedOn w:val="s${i + 1}"/></w:style>`,
  );
  const styled = docx(paragraph('text', '<w:pStyle w:val="s0"/>'), [
    wordPart('styles', 'styles', chain.join('')),
  ]);
  t.equal(await code(styled, 'a.docx'), 'ok');
  const scopes = Array.from(
    { length: 300 },
    (_, i) => `<w:sdt ${Array.from({ length: 50 }, (_, n) => `xmlns:n${i}_${n}="u"`).join(' ')}>`,
  );
  t.equal(await code(docx(scopes.join('') + '</w:sdt>'.repeat(300)), 'a.docx'), 'FILE_TOO_COMPLEX');
});

t.test('a text above the limit is truncated and marked', async (t) => {
  const bytes = docx(
    `<w:tbl><w:tr><w:tc>${paragraph(`Begin ${'word '.repeat(20_000)}`)}</w:tc></w:tr></w:tbl>`,
  );
  const result = await extractFileWithin(
    { bytes, fileName: 'a.docx' },
    { ...defaultLimits, textBytes: 1000 },
  );
  t.match(result, { ok: true, extraction: { metadata: { truncated: true } } });
  t.match(textOf(result), /^Begin word/);
});

t.test('cells beyond the last column are omitted and marked', async (t) => {
  const cells = '<c r="A1"><v>1</v></c><c r="ZZZZ1"><v>2</v></c>';
  const result = await extractFile({
    bytes: xlsx([{ name: 'A', rows: `<row>${cells}</row>` }]),
    fileName: 'a.xlsx',
  });
  t.match(result, { ok: true, extraction: { text: '## A\n\n1', metadata: { truncated: true } } });
});

t.test('one very long row does not pad the others', async (t) => {
  const cell = (text: string) => `<w:tc>${paragraph(text)}</w:tc>`;
  const bytes = docx(
    `<w:tbl><w:tr>${cell('x').repeat(5000)}</w:tr>${`<w:tr>${cell('y')}</w:tr>`.repeat(200)}</w:tbl>`,
  );
  t.ok(textOf(await extractFile({ bytes, fileName: 'a.docx' })).length < 100_000);
});

t.test('number formats over the limit show plain numbers', async (t) => {
  const formats = Array.from({ length: 3000 }, (_, i) => i);
  const styles = `<numFmts>${formats.map((i) => `<numFmt numFmtId="${200 + i}" formatCode="0.0&quot;#${i}&quot;"/>`).join('')}</numFmts><cellXfs>${formats.map((i) => `<xf numFmtId="${200 + i}"/>`).join('')}</cellXfs>`;
  const rows = '<row><c s="0"><v>7</v></c><c s="249"><v>7</v></c><c s="2999"><v>7</v></c></row>';
  const bytes = xlsx([{ name: 'A', rows }], { styles });
  t.equal(textOf(await extractFile({ bytes, fileName: 'a.xlsx' })), '## A\n\n7.0#0 | 7.0#249 | 7');
});
