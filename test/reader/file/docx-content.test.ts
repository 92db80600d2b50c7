import { formatCount } from '../../../reader/file/docx/count-format.js';
import { defaultLimits } from '../../../reader/file/limits.js';
import { extractFile } from '../../../workers/threads/file.thread.js';
import { extractFileWithin } from '../../support/extract-within.js';
import t from '../../support/t.js';
import {
  docx,
  docxEntries,
  paragraph,
  relationships,
  textOf,
  wordPart,
  type ZipEntry,
  zipOf,
} from './fixtures.js';

const m = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"';
const read = async (bytes: Uint8Array) => textOf(await extractFile({ bytes, fileName: 'a.docx' }));
const text = (body: string, more: Parameters<typeof docx>[1] = []) => read(docx(body, more));
const item = (content: string, list: number, at = 0) =>
  paragraph(content, `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr>`);
const level = (at: number, format: string, pattern: string, more = '') =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${pattern}"/></w:lvl>`;

t.test('list items without text are counted but not shown', async (t) => {
  const numbering = wordPart(
    'numbering',
    'numbering',
    `<w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`,
  );
  t.equal(await text(item('a', 1) + item('', 1) + item('c', 1), [numbering]), '1. a\n3. c');
});

t.test('lists that override levels or take them from a list style are numbered accordingly', async (t) => {
  const numbering = wordPart(
    'numbering',
    'numbering',
    `<w:abstractNum w:abstractNumId="0">${level(0, 'upperRoman', '%1.')}${level(1, 'decimal', '%1.%2', '<w:isLgl/>')}</w:abstractNum>
     <w:abstractNum w:abstractNumId="1"><w:numStyleLink w:val="Points"/></w:abstractNum>
     <w:abstractNum w:abstractNumId="2"><w:styleLink w:val="Points"/>${level(0, 'lowerLetter', '(%1)')}</w:abstractNum>
     <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
     <w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0">${level(0, 'ordinal', 'the %1')}</w:lvlOverride></w:num>
     <w:num w:numId="3"><w:abstractNumId w:val="1"/></w:num>`,
  );
  const body =
    item('one', 1) +
    item('two', 1, 1) +
    paragraph('-') +
    item('second', 2) +
    paragraph('-') +
    item('point', 3);
  t.equal(await text(body, [numbering]), 'I. one\n  1.1 two\n\n-\n\nthe 2nd second\n\n-\n\n(a) point');
});

t.test('list numbers in many scripts', async (t) => {
  const shown = (format: string, ...counts: number[]) =>
    counts.map((count) => formatCount(count, format)).join(' ');
  t.equal(shown('ordinal', 1, 2, 3, 4, 11, 12, 21, 112), '1st 2nd 3rd 4th 11th 12th 21st 112th');
  t.equal(shown('decimalEnclosedCircle', 1, 20, 21), '① ⑳ 21');
  t.equal(shown('japaneseCounting', 1, 10, 15, 42), '一 十 十五 四十二');
  t.equal(shown('ideographDigital', 3), '三');
  t.equal(shown('russianLower', 1, 3), 'а в');
  t.equal(shown('ganada', 2), '나');
  t.equal(shown('lowerLetter', 1, 27), 'a aa');
  t.equal(shown('somethingNew', 7), '7');
});

t.test('formulas are written on one line', async (t) => {
  const run = (content: string) => `<m:r><m:t>${content}</m:t></m:r>`;
  const formula = (content: string) => text(`<w:p ${m}><m:oMath>${content}</m:oMath></w:p>`);
  t.equal(await formula(`<m:f><m:num>${run('a+b')}</m:num><m:den>${run('2')}</m:den></m:f>`), '(a+b)/2');
  t.equal(
    await formula(
      `<m:sSubSup><m:e>${run('x')}</m:e><m:sub>${run('i')}</m:sub><m:sup>${run('2')}</m:sup></m:sSubSup>`,
    ),
    'x_i^2',
  );
  t.equal(await formula(`<m:rad><m:deg>${run('3')}</m:deg><m:e>${run('x+1')}</m:e></m:rad>`), '√[3](x+1)');
  t.equal(
    await formula(
      `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${run('i=1')}</m:sub><m:sup>${run('n')}</m:sup><m:e>${run('i')}</m:e></m:nary>`,
    ),
    '∑_(i=1)^n i',
  );
  t.equal(
    await formula(
      `<m:d><m:dPr><m:begChr m:val="["/><m:endChr m:val="]"/></m:dPr><m:e>${run('a')}</m:e><m:e>${run('b')}</m:e></m:d>`,
    ),
    '[a|b]',
  );
});

t.test('symbols are decoded by their font, also within text', async (t) => {
  const symbol = (font: string, char: string) => `<w:sym w:font="${font}" w:char="${char}"/>`;
  const body = `<w:p><w:r>${symbol('Symbol', 'F061')}${symbol('Symbol', 'F0A5')}${symbol('Wingdings', 'F0FC')}</w:r><w:r><w:rPr><w:rFonts w:ascii="Symbol"/></w:rPr><w:t>\uf06d</w:t></w:r></w:p>`;
  t.equal(await text(body), 'α∞✓μ');
});

t.test('lettering drawn as a picture is text', async (t) => {
  const art =
    '<v:shape xmlns:v="urn:schemas-microsoft-com:vml"><v:textpath string="Grand opening"/></v:shape>';
  t.equal(await text(`<w:p><w:r><w:pict>${art}</w:pict></w:r></w:p>`), 'Grand opening');
});

t.test('embedded parts are read at their position', async (t) => {
  const r = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';
  const parts: ZipEntry[] = [
    {
      name: 'word/part.html',
      text: '<html><body><h2>From a page</h2><p>With <b>words</b>.</p></body></html>',
    },
    { name: 'word/part.txt', text: 'Plain words' },
  ];
  const body = `${paragraph('Before')}<w:altChunk ${r} r:id="c1"/><w:altChunk ${r} r:id="c2"/>${paragraph('After')}`;
  const entries = docxEntries(body).filter(({ name }) => !name.endsWith('document.xml.rels'));
  const links = relationships('word/document.xml', [
    ['c1', 'aFChunk', 'part.html'],
    ['c2', 'aFChunk', 'part.txt'],
  ]);
  t.equal(
    await read(zipOf([...entries, links, ...parts])),
    'Before\n\n## From a page\n\nWith words.\n\nPlain words\n\nAfter',
  );
});

t.test('the total text of a part referenced many times is limited', async (t) => {
  const chunk = `<w:altChunk xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:id="c1"/>`;
  const entries = docxEntries(`${paragraph('Before')}${chunk.repeat(500)}`).filter(
    ({ name }) => !name.endsWith('document.xml.rels'),
  );
  const links = relationships('word/document.xml', [['c1', 'aFChunk', 'part.txt']]);
  const bytes = zipOf([...entries, links, { name: 'word/part.txt', text: 'Plain words. '.repeat(1000) }]);
  const result = await extractFileWithin(
    { bytes, fileName: 'a.docx' },
    { ...defaultLimits, textBytes: 100_000 },
  );
  t.match(result, { ok: true, extraction: { metadata: { truncated: true } } });
  t.ok(textOf(result).length <= 100_000);
});

t.test('struck runs are marked', async (t) => {
  const run = (content: string, properties = '') =>
    `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${content}</w:t></w:r>`;
  const strike = '<w:strike/>';
  t.equal(
    await text(
      `<w:p>${run('Day ')}${run('18 ', strike)}${run('euro', '<w:dstrike/>')}${run(' 12 euro')}${run(' now', '<w:strike w:val="0"/>')}${run(' struck', strike)}</w:p>`,
    ),
    'Day ~~18 euro~~ 12 euro now struck',
  );
});
