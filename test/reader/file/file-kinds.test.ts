import { createHash } from 'node:crypto';
import { extractFile } from '../../../workers/threads/file.thread.js';
import t from '../../support/t.js';
import {
  codeOf,
  docx,
  docxEntries,
  paragraph,
  pdf,
  pdfLines,
  pptx,
  row,
  shape,
  textOf,
  xlsx,
  zipOf,
} from './fixtures.js';

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, 'latin1'));
const ole = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);

t.test('extracts the text of the smallest real file of each type', async (t) => {
  const files = {
    'a.txt': bytesOf('Hello from a file.\n'),
    'a.md': bytesOf('# Heading\n\nHello from a file.\n'),
    'a.docx': docx(paragraph('Hello from a file.')),
    'a.xlsx': xlsx([{ name: 'Sheet1', rows: row(['Hello from a file.', 42]) }]),
    'a.pptx': pptx([{ shapes: shape('Hello from a file.') }]),
    'A.PDF': pdf([pdfLines(72, 720, ['Hello from a file.'])]),
  };
  for (const [fileName, bytes] of Object.entries(files)) {
    const result = await extractFile({ bytes, fileName });
    t.match(textOf(result), /Hello from a file\./, fileName);
    t.match(result, {
      extraction: { metadata: { contentKind: fileName.slice(2).toLowerCase(), truncated: false } },
    });
  }
});

t.test('the hash is that of the text', async (t) => {
  const result = await extractFile({ bytes: bytesOf('Hello'), fileName: 'a.txt' });
  t.match(result, { ok: true, contentHash: createHash('sha256').update('Hello').digest('hex') });
});

t.test('rejects an empty file', async (t) => {
  for (const kind of ['pdf', 'docx', 'xlsx', 'pptx', 'md', 'txt']) {
    t.equal(
      codeOf(await extractFile({ bytes: new Uint8Array(), fileName: `a.${kind}` })),
      'FILE_EMPTY',
      kind,
    );
  }
});

t.test('rejects content that does not match the extension', async (t) => {
  const word = docx(paragraph('Hello'));
  const cases: [string, Uint8Array][] = [
    ['docx-as.xlsx', word],
    ['docx-as.pdf', word],
    ['docx-as.txt', word],
    ['docx-as.md', word],
    ['xlsx-as.docx', xlsx([{ name: 'A', rows: row(['x']) }])],
    ['text-as.docx', bytesOf('only text')],
    ['html-as.pdf', bytesOf('<!DOCTYPE html><html></html>')],
    ['pdf-as.txt', pdf([pdfLines(72, 720, ['Hello'])])],
    ['png-as.pdf', bytesOf('\x89PNG\r\n\x1a\n')],
    ['zip-as.docx', zipOf([{ name: 'a.txt', text: 'x' }])],
    ['old-word.docx', new Uint8Array(ole)],
    ['binary.txt', new Uint8Array(Array.from({ length: 512 }, (_, i) => i % 256))],
    ['program.exe', bytesOf('text')],
  ];
  for (const [fileName, bytes] of cases) {
    t.equal(codeOf(await extractFile({ bytes, fileName })), 'FILE_TYPE_MISMATCH', fileName);
  }
});

t.test('password protection is reported', async (t) => {
  const encrypted = Buffer.concat([ole, Buffer.from('EncryptedPackage', 'utf16le')]);
  t.equal(
    codeOf(await extractFile({ bytes: new Uint8Array(encrypted), fileName: 'a.xlsx' })),
    'FILE_ENCRYPTED',
  );
  const zipped = zipOf(docxEntries(paragraph('x')).map((entry) => ({ ...entry, flags: 1 })));
  t.equal(codeOf(await extractFile({ bytes: zipped, fileName: 'a.docx' })), 'FILE_ENCRYPTED');
});

t.test('damage is reported', async (t) => {
  const whole = docx(paragraph('Hello'));
  t.equal(
    codeOf(await extractFile({ bytes: whole.slice(0, whole.length - 30), fileName: 'a.docx' })),
    'FILE_UNPARSABLE',
  );
  const flipped = zipOf(docxEntries(paragraph('Hello')).map((entry) => ({ ...entry, crc: 7 })));
  t.equal(codeOf(await extractFile({ bytes: flipped, fileName: 'a.docx' })), 'FILE_UNPARSABLE');
  t.equal(
    codeOf(await extractFile({ bytes: bytesOf('%PDF-1.7\nnothing'), fileName: 'a.pdf' })),
    'FILE_UNPARSABLE',
  );
  t.equal(codeOf(await extractFile({ bytes: bytesOf('garbage'), fileName: 'a.pdf' })), 'FILE_UNPARSABLE');
});

t.test('a document without text is not reported as damaged', async (t) => {
  const cases: [string, Uint8Array][] = [
    ['a.docx', docx('<w:p/>')],
    ['a.xlsx', xlsx([{ name: 'Only a name', rows: '' }])],
    ['a.pptx', pptx([{ shapes: '' }])],
    ['a.pdf', pdf(['0 0 m'])],
    ['a.txt', bytesOf(' \r\n\t')],
    ['a.md', bytesOf('---\ntitle: x\n---\n')],
  ];
  for (const [fileName, bytes] of cases) {
    t.equal(codeOf(await extractFile({ bytes, fileName })), 'EMPTY_TEXT', fileName);
  }
});
