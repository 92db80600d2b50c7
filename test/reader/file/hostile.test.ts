import { deflateSync } from 'node:zlib';
import type { Test } from 'tap';
import { defaultLimits } from '../../../reader/file/limits.js';
import { extractFile } from '../../../workers/threads/file.thread.js';
import { extractFileWithin } from '../../support/extract-within.js';
import t from '../../support/t.js';
import {
  codeOf,
  contentTypes,
  docx,
  docxEntries,
  packedZeros,
  paragraph,
  pdf,
  pdfLines,
  pdfOf,
  relationships,
  row,
  textOf,
  wordPart,
  xlsx,
  xlsxEntries,
  type ZipEntry,
  zipOf,
} from './fixtures.js';

const MEMORY_MIB = 250;
const peakMiB = () => process.resourceUsage().maxRSS / 1024;

/** Runs the extraction; fails if the peak memory of the process grows by more than the limit. */
async function bounded(t: Test, bytes: Uint8Array, fileName: string) {
  const before = peakMiB();
  const result = await extractFile({ bytes, fileName });
  t.ok(peakMiB() - before < MEMORY_MIB, `peak memory grows by less than ${MEMORY_MIB} MiB`);
  return result;
}

/** LZW data in which every code adds one zero to the previous one. */
function lzwZeros(codes: number): Buffer {
  const bytes: number[] = [];
  let held = 0;
  let bits = 0;
  let next = 258;
  let width = 9;
  const put = (code: number) => {
    held = (held << width) | code;
    for (bits += width; bits >= 8; bits -= 8) bytes.push((held >> (bits - 8)) & 0xff);
    held &= (1 << bits) - 1;
  };
  put(256);
  put(0);
  for (let i = 0; i < codes; i++) {
    if (next > 4094) {
      put(256);
      next = 258;
      width = 9;
      put(0);
      continue;
    }
    put(next++);
    if (next + 1 >= 1 << width && width < 12) width++;
  }
  return Buffer.from(bytes);
}

const replaced = (entries: readonly ZipEntry[], bomb: ZipEntry) =>
  zipOf([...entries.filter(({ name }) => name !== bomb.name), bomb]);

t.test('400 MB of zeros in a document, a sheet or a slide list fail one task', async (t) => {
  const packed = packedZeros(400);
  const size = 400 * 1024 * 1024;
  const document = replaced(docxEntries(''), { name: 'word/document.xml', packed, size, crc: 1 });
  t.equal(codeOf(await bounded(t, document, 'bomb.docx')), 'FILE_TOO_COMPLEX');
  const sheets = xlsxEntries([{ name: 'A', rows: row(['x']) }]);
  const sheet = replaced(sheets, { name: 'xl/worksheets/sheet1.xml', packed, size, crc: 1 });
  t.equal(codeOf(await bounded(t, sheet, 'bomb.xlsx')), 'FILE_TOO_COMPLEX');
});

t.test('a bomb that declares a small size fails too, even as an unread picture', async (t) => {
  const bomb = { name: 'word/media/image1.png', packed: packedZeros(400), size: 1000, crc: 1 };
  t.equal(
    codeOf(await bounded(t, zipOf([...docxEntries(paragraph('Hello')), bomb]), 'a.docx')),
    'FILE_TOO_COMPLEX',
  );
});

t.test('a wrong declared size alone is harmless', async (t) => {
  const entries = docxEntries(paragraph('Hello')).map((entry) => ({ ...entry, size: 3 }));
  t.equal(textOf(await extractFile({ bytes: zipOf(entries), fileName: 'a.docx' })), 'Hello');
});

t.test('many small bombs add up', async (t) => {
  const packed = packedZeros(7);
  const bombs = Array.from({ length: 100 }, (_, i) => ({
    name: `word/media/${i}.bin`,
    packed,
    size: 10,
    crc: 1,
  }));
  t.equal(
    codeOf(await bounded(t, zipOf([...docxEntries(paragraph('Hello')), ...bombs]), 'a.docx')),
    'FILE_TOO_COMPLEX',
  );
});

t.test('rejects more entries than any document has', async (t) => {
  const packed = Buffer.from([3, 0]);
  const many = Array.from({ length: 12_000 }, (_, i) => ({ name: `x/${i}`, packed, size: 0, crc: 0 }));
  t.equal(
    codeOf(await bounded(t, zipOf([...docxEntries(paragraph('Hello')), ...many]), 'a.docx')),
    'FILE_TOO_COMPLEX',
  );
});

t.test('a zip inside the file is not opened', async (t) => {
  const inner = zipOf([{ name: 'b', packed: packedZeros(400), size: 1, crc: 1 }]);
  const nested = { name: 'word/embeddings/inner.zip', text: Buffer.from(inner).toString('latin1') };
  t.equal(textOf(await bounded(t, docx(paragraph('Hello'), []), 'a.docx')), 'Hello');
  const bytes = zipOf([...docxEntries(paragraph('Hello')), nested]);
  t.equal(textOf(await bounded(t, bytes, 'a.docx')), 'Hello');
});

t.test('entities of a DTD are neither expanded nor fetched', async (t) => {
  const levels = Array.from({ length: 10 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join(
    '',
  );
  const doctype = `<!DOCTYPE x [<!ENTITY e0 "ha"><!ENTITY out SYSTEM "file:///etc/hostname">${levels}]>`;
  const body = '<w:p><w:r><w:t>before &e10;&out; after</w:t></w:r></w:p>';
  const entries = docxEntries(body).map((entry) =>
    entry.name === 'word/document.xml'
      ? { ...entry, text: `${entry.text}`.replace('?>', `?>${doctype}`) }
      : entry,
  );
  t.equal(textOf(await bounded(t, zipOf(entries), 'a.docx')), 'before  after');
});

t.test('rejects endlessly nested XML', async (t) => {
  const deep = '<w:sdt>'.repeat(200_000) + '</w:sdt>'.repeat(200_000);
  t.equal(codeOf(await bounded(t, docx(deep), 'a.docx')), 'FILE_TOO_COMPLEX');
});

t.test('rejects an endless XML tag', async (t) => {
  const tag = `<w:p a="${'x'.repeat(5_000_000)}"/>`;
  t.equal(codeOf(await bounded(t, docx(tag), 'a.docx')), 'FILE_TOO_COMPLEX');
});

t.test('deeply nested tables are read in bounded time', async (t) => {
  const open = '<w:tbl><w:tr><w:tc>'.repeat(100);
  const close = '</w:tc></w:tr></w:tbl>'.repeat(100);
  t.equal(textOf(await bounded(t, docx(`${open}${paragraph('inside')}${close}`), 'a.docx')), 'inside');
});

t.test('validations and formats for whole columns cost nothing', async (t) => {
  const one = '<dataValidation sqref="A1:XFD1048576" type="list"><formula1>"a,b"</formula1></dataValidation>';
  const after = `<mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells><dataValidations>${one.repeat(50_000)}</dataValidations>`;
  const bytes = xlsx([{ name: 'A', rows: row(['x', 1]), after }]);
  t.equal(textOf(await bounded(t, bytes, 'a.xlsx')), '## A\n\nx | 1');
});

t.test('a sheet whose only cells are at its far corners stays small', async (t) => {
  const rows =
    '<row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row><row r="1048576"><c r="XFD1048576"><v>3</v></c></row>';
  const text = textOf(await bounded(t, xlsx([{ name: 'A', rows }]), 'a.xlsx'));
  t.match(text, /1 .*2\n.*3/);
  t.ok(text.length < 200);
});

t.test('rows, cells or text above the limits are truncated and marked', async (t) => {
  const rows = row(['name', 'value']) + row(['row', 1]).repeat(500);
  const bytes = xlsx([{ name: 'A', rows }]);
  for (const limits of [{ sheetRows: 100 }, { workbookCells: 200 }, { textBytes: 1000 }]) {
    const result = await extractFileWithin({ bytes, fileName: 'a.xlsx' }, { ...defaultLimits, ...limits });
    t.match(result, { ok: true, extraction: { metadata: { truncated: true } } }, JSON.stringify(limits));
    t.ok(textOf(result).length < 2500);
  }
  t.match(await extractFile({ bytes, fileName: 'a.xlsx' }), {
    extraction: { metadata: { truncated: false } },
  });
});

t.test('truncates a text between characters', async (t) => {
  const bytes = new TextEncoder().encode('äöü😀 '.repeat(1000));
  const result = await extractFileWithin({ bytes, fileName: 'a.txt' }, { ...defaultLimits, textBytes: 1001 });
  t.match(result, { ok: true, extraction: { metadata: { truncated: true, charset: 'utf-8' } } });
  t.ok(Buffer.byteLength(textOf(result)) <= 1001);
  t.ok(textOf(result).isWellFormed());
});

t.test('rejects a PDF page tree of a million pages, claimed or real', async (t) => {
  const catalogue = '<</Type/Catalog/Pages 2 0 R>>';
  const claimed = pdfOf([
    catalogue,
    '<</Type/Pages/Kids[3 0 R]/Count 1000000>>',
    '<</Type/Pages/Parent 2 0 R/Kids[]/Count 1000000>>',
  ]);
  t.not(codeOf(await bounded(t, claimed, 'a.pdf')), 'ok');
  const page = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>';
  const real = pdfOf([catalogue, `<</Type/Pages/Kids[${'3 0 R '.repeat(1_000_000)}]/Count 1000000>>`, page]);
  t.equal(codeOf(await bounded(t, real, 'a.pdf')), 'FILE_TOO_COMPLEX');
});

t.test('pages above the limit are omitted and marked', async (t) => {
  const bytes = pdf(Array.from({ length: 12 }, (_, i) => pdfLines(72, 700, [`Page number ${i + 1}`])));
  const result = await extractFileWithin({ bytes, fileName: 'a.pdf' }, { ...defaultLimits, pdfPages: 10 });
  t.match(result, { ok: true, extraction: { metadata: { truncated: true, pages: 12 } } });
  t.notMatch(textOf(result), /Page number 11/);
});

t.test('missing PDF pages do not cause an endless loop', async (t) => {
  const empty = '<</Type/Pages/Parent 2 0 R/Kids[]/Count 9000>>';
  const bytes = pdfOf(['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[3 0 R]/Count 9000>>', empty]);
  t.match(codeOf(await bounded(t, bytes, 'a.pdf')), /FILE_UNPARSABLE|EMPTY_TEXT/);
});

t.test('rejects a PDF stream that inflates above the limit, compressed once or twice', async (t) => {
  const zeros = Buffer.concat([Buffer.from([0x78, 0x9c]), packedZeros(400)]);
  const filters: [string, Buffer][] = [
    ['/FlateDecode', zeros],
    ['/Fl#61teDecode', zeros],
    ['[/FlateDecode /FlateDecode]', deflateSync(zeros)],
    ['[/ASCIIHexDecode /FlateDecode]', Buffer.from(`${zeros.toString('hex')}>`)],
    ['/LZWDecode', lzwZeros(300_000)],
    ['/RunLengthDecode', Buffer.alloc(2_000_000, Buffer.from([129, 32]))],
  ];
  for (const [filter, data] of filters) {
    const bytes = pdfOf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[3 0 R]/Count 1>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R>>',
      `<</Length ${data.length}/Filter${filter}>>\nstream\n${data.toString('latin1')}\nendstream`,
    ]);
    t.equal(codeOf(await bounded(t, bytes, 'a.pdf')), 'FILE_TOO_COMPLEX', filter);
  }
});

t.test('a circular PDF page tree terminates', async (t) => {
  const bytes = pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 5>>',
    '<</Type/Pages/Kids[2 0 R]/Count 5>>',
  ]);
  t.not(codeOf(await bounded(t, bytes, 'a.pdf')), 'ok');
});

t.test('a failure reveals no stack and no file of the parser', async (t) => {
  const broken = await extractFile({ bytes: docx('<w:p></w:x>'), fileName: 'a.docx' });
  t.match(broken, { ok: false, failure: { code: 'FILE_UNPARSABLE', verdict: 'give-up' } });
  t.notMatch(JSON.stringify(broken), /node_modules|\.ts\b|\bat \w+ \(/);
});

t.test('a relationship cannot leave the archive', async (t) => {
  const bytes = zipOf([
    contentTypes('wordprocessingml.document'),
    relationships('', [['rId1', 'officeDocument', '../../../../etc/passwd']]),
    wordPart('document', 'document', `<w:body>${paragraph('Hello')}</w:body>`),
  ]);
  t.equal(textOf(await extractFile({ bytes, fileName: 'a.docx' })), 'Hello');
});
