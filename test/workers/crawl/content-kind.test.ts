import { contentKindOf } from '../../../workers/crawl/content-kind.js';
import t from '../../support/t.js';

const kindOf = (contentType: string | null, path = '/x') =>
  contentKindOf(contentType, new URL(path, 'https://example.com'));

t.test('HTML, plain text and Markdown are pages', async (t) => {
  for (const type of [
    'text/html',
    'TEXT/HTML; charset=utf-8',
    'application/xhtml+xml',
    'text/plain',
    'text/markdown',
  ]) {
    t.same(kindOf(type), { kind: 'page', contentType: type });
  }
});

t.test('documents are recognised by their media type, and get the matching extension', async (t) => {
  const ooxml = 'application/vnd.openxmlformats-officedocument';
  t.same(kindOf('application/pdf', '/a/Guide.PDF'), { kind: 'file', fileName: 'Guide.pdf' });
  t.same(kindOf('application/pdf', '/download?id=1'), { kind: 'file', fileName: 'download.pdf' });
  t.same(kindOf('application/pdf', '/'), { kind: 'file', fileName: 'document.pdf' });
  t.same(kindOf(`${ooxml}.wordprocessingml.document`, '/a%20b.docx'), { kind: 'file', fileName: 'a b.docx' });
  t.same(kindOf(`${ooxml}.spreadsheetml.sheet`, '/a.php'), { kind: 'file', fileName: 'a.php.xlsx' });
  t.same(kindOf(`${ooxml}.presentationml.presentation`, '/%zz'), { kind: 'file', fileName: '%zz.pptx' });
});

t.test('a generic media type defers to the extension', async (t) => {
  for (const type of [null, '', 'application/octet-stream', 'binary/octet-stream']) {
    for (const extension of ['pdf', 'docx', 'xlsx', 'pptx', 'txt', 'md']) {
      t.same(kindOf(type, `/a.${extension}`), { kind: 'file', fileName: `a.${extension}` });
    }
    t.same(kindOf(type, '/a.html'), { kind: 'page', contentType: 'text/html' });
    t.equal(kindOf(type, '/a'), null);
    t.equal(kindOf(type, '/a.exe'), null);
  }
});

t.test('nothing else is read', async (t) => {
  for (const type of [
    'image/png',
    'application/json',
    'text/css',
    'video/mp4',
    'application/zip',
    'text/xml',
    'nonsense',
  ]) {
    t.equal(kindOf(type, '/a.pdf'), null, type);
  }
});
