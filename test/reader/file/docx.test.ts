import * as zlib from 'node:zlib';
import { extractFile } from '../../../workers/threads/file.thread.js';
import t from '../../support/t.js';
import { docx, docxEntries, paragraph, textOf, wordPart, zipOf } from './fixtures.js';

const text = async (body: string, more: Parameters<typeof docx>[1] = []) =>
  textOf(await extractFile({ bytes: docx(body, more), fileName: 'a.docx' }));
const run = (content: string) => `<w:r><w:t xml:space="preserve">${content}</w:t></w:r>`;
const p = (content: string, properties = '') =>
  `<w:p>${properties && `<w:pPr>${properties}</w:pPr>`}${content}</w:p>`;

t.test('headings come from styles, including inherited ones, and from outline levels', async (t) => {
  const styles = wordPart(
    'styles',
    'styles',
    `<w:style w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
     <w:style w:styleId="Own"><w:name w:val="Own"/><w:basedOn w:val="Mid"/></w:style>
     <w:style w:styleId="Mid"><w:name w:val="Mid"/><w:pPr><w:outlineLvl w:val="1"/></w:pPr></w:style>
     <w:style w:styleId="T"><w:name w:val="Title"/></w:style>`,
  );
  const body =
    paragraph('The title', '<w:pStyle w:val="T"/>') +
    paragraph('One', '<w:pStyle w:val="berschrift1"/>') +
    paragraph('Two', '<w:pStyle w:val="Own"/>') +
    paragraph('Three', '<w:outlineLvl w:val="2"/>') +
    paragraph('Body', '<w:outlineLvl w:val="9"/>');
  t.equal(await text(body, [styles]), '# The title\n\n# One\n\n## Two\n\n### Three\n\nBody');
  const result = await extractFile({ bytes: docx(body, [styles]), fileName: 'a.docx' });
  t.match(result, { extraction: { title: 'The title', metadata: { titleSource: 'heading' } } });
});

t.test('lists have their bullets and numbers', async (t) => {
  const level = (at: number, format: string, pattern: string) =>
    `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${pattern}"/></w:lvl>`;
  const numbering = wordPart(
    'numbering',
    'numbering',
    `<w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.')}${level(1, 'lowerLetter', '%1.%2)')}</w:abstractNum>
     <w:abstractNum w:abstractNumId="1">${level(0, 'bullet', '·')}</w:abstractNum>
     <w:abstractNum w:abstractNumId="2">${level(0, 'bullet', 'ü').replace('</w:lvl>', '<w:rPr><w:rFonts w:ascii="Wingdings"/></w:rPr></w:lvl>')}</w:abstractNum>
     <w:num w:numId="3"><w:abstractNumId w:val="2"/></w:num>
     <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="1"/></w:num>`,
  );
  const item = (content: string, list: number, at = 0) =>
    paragraph(content, `<w:numPr><w:ilvl w:val="${at}"/><w:numId w:val="${list}"/></w:numPr>`);
  const body =
    item('a', 1) +
    item('b', 1, 1) +
    item('c', 1, 1) +
    item('d', 1) +
    paragraph('-') +
    item('e', 2) +
    item('f', 3);
  t.equal(await text(body, [numbering]), '1. a\n  1.a) b\n  1.b) c\n2. d\n\n-\n\n- e\n- ✓ f');
});

t.test('tracked changes are accepted', async (t) => {
  const body =
    p(
      `${run('kept ')}<w:del><w:r><w:delText>gone</w:delText><w:tab/></w:r>${run('gone too')}</w:del><w:ins>${run('added')}</w:ins>`,
    ) +
    p(`<w:moveFrom>${run('from')}</w:moveFrom><w:moveTo>${run('to')}</w:moveTo>`) +
    p(run('first half, '), '<w:rPr><w:del/></w:rPr>') +
    p(run('second half'));
  t.equal(await text(body), 'kept added\n\nto\n\nfirst half, second half');
});

t.test('tables become rows without deleted rows, layout tables become text', async (t) => {
  const cell = (content: string) => `<w:tc>${paragraph(content)}</w:tc>`;
  const rows = `<w:tr>${cell('A')}${cell('B')}</w:tr><w:tr><w:trPr><w:del/></w:trPr>${cell('x')}${cell('y')}</w:tr><w:tr>${cell('1')}${cell('2')}</w:tr>`;
  t.equal(await text(`<w:tbl>${rows}</w:tbl>`), '| A | B |\n| --- | --- |\n| 1 | 2 |');
  const long = 'word '.repeat(200).trim();
  t.equal(await text(`<w:tbl><w:tr>${cell(long)}${cell('side')}</w:tr></w:tbl>`), `${long}\n\nside`);
});

t.test('rows with many lines in their cells stay readable', async (t) => {
  const cell = (lines: string[]) => `<w:tc>${lines.map((line) => paragraph(line)).join('')}</w:tc>`;
  const rows = [
    ['Shop'.split(' '), ['Day'], ['Open']],
    [['North'], ['Monday', 'Tuesday', 'Friday'], ['9 to 5', '9 to 6', 'closed']],
    [['South'], ['Ask at the desk', 'Knock twice.', 'Wait'], ['always']],
  ].map((cells) => `<w:tr>${cells.map(cell).join('')}</w:tr>`);
  t.equal(
    await text(`<w:tbl>${rows.join('')}</w:tbl>`),
    '| Shop | Day | Open |\n| --- | --- | --- |\n| North | Monday | 9 to 5 |\n|  | Tuesday | 9 to 6 |\n|  | Friday | closed |\n' +
      '| South | Ask at the desk; Knock twice. Wait | always |',
  );
});

t.test('a paragraph that starts with # is not a heading', async (t) => {
  t.equal(await text(paragraph('# of users: 12')), '\\# of users: 12');
});

t.test('notes, text boxes, headers and footers are kept once each', async (t) => {
  const box = `<w:txbxContent>${paragraph('In the box')}</w:txbxContent>`;
  const alternate = `<mc:AlternateContent><mc:Choice>${box}</mc:Choice><mc:Fallback>${box}</mc:Fallback></mc:AlternateContent>`;
  const body =
    p(`${run('Text')}<w:r><w:footnoteReference w:id="2"/></w:r><w:r>${alternate}</w:r>`) + paragraph('After');
  const notes = wordPart(
    'footnotes',
    'footnotes',
    `<w:footnote w:type="separator" w:id="0">${paragraph('---')}</w:footnote><w:footnote w:id="2">${paragraph('The note')}</w:footnote>`,
  );
  const more = [
    notes,
    wordPart('header1', 'hdr', paragraph('Running head')),
    wordPart('header2', 'hdr', paragraph('Running head')),
    wordPart('footer1', 'ftr', paragraph('Page 1 of 2')),
  ];
  t.equal(await text(body, more), 'Text[^1]\n\nIn the box\n\nAfter\n\n[^1]: The note\n\nRunning head');
});

t.test('breaks, tabs, symbols and hidden text', async (t) => {
  const body = p(
    `${run('a')}<w:r><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t><w:noBreakHyphen/><w:sym w:font="Wingdings" w:char="F0FE"/></w:r>` +
      `<w:r><w:rPr><w:vanish/></w:rPr><w:t>hidden</w:t></w:r><w:r><w:instrText>PAGE</w:instrText></w:r>`,
  );
  t.equal(await text(body), 'a\tb\nc-☑');
});

t.test('reads any namespace prefix and the strict namespaces', async (t) => {
  for (const uri of [
    'http://schemas.openxmlformats.org/wordprocessingml/2006/main',
    'http://purl.oclc.org/ooxml/wordprocessingml/main',
  ]) {
    const part = `<x:document xmlns:x="${uri}"><x:body><x:p><x:r><x:t>Hi</x:t></x:r></x:p></x:body></x:document>`;
    const entries = docxEntries('').map((entry) =>
      entry.name === 'word/document.xml' ? { ...entry, text: part } : entry,
    );
    t.equal(textOf(await extractFile({ bytes: zipOf(entries), fileName: 'a.docx' })), 'Hi');
  }
});

t.test('parts in UTF-16 are read', async (t) => {
  const entries = docxEntries(paragraph('Grüße 漢字')).map((entry) => {
    if (entry.name !== 'word/document.xml') return entry;
    const { deflateRawSync, crc32 } = zlib;
    const bytes = Buffer.from(`\ufeff${entry.text}`, 'utf16le');
    return { name: entry.name, packed: deflateRawSync(bytes), crc: crc32(bytes), size: bytes.length };
  });
  t.equal(textOf(await extractFile({ bytes: zipOf(entries), fileName: 'a.docx' })), 'Grüße 漢字');
});
