import { contentKindOf, mayBeReadable } from '../../../workers/crawl/content-kind.js';
import t from '../../support/t.js';

const kindOf = (contentType: string | null, path = '/x', body: string | Uint8Array = 'Some words.') =>
  contentKindOf(contentType, new URL(path, 'https://example.com'), Buffer.from(body));

/** An archive as it begins, with the name of one part. */
const archiveOf = (part: string) => `PK\u0003\u0004\u0014\u0000\u0000\u0000${part}`;
const picture = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13);
/** Bytes without any pattern, the same in each run. */
const noise = Uint8Array.from({ length: 2000 }, (_, at) => (at * 7919 + (at >> 3) * 104729) % 256);

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
  ]) {
    t.equal(kindOf(type, '/a.pdf'), null, type);
  }
});

t.test('the bytes decide if the media type is missing, contradictory or vague', async (t) => {
  for (const type of [null, '', 'nonsense', 'text/html, text/plain', '*/*', 'text/htm', 'html/text']) {
    t.same(kindOf(type, '/a'), { kind: 'page', contentType: null }, `${type}`);
    t.same(kindOf(type, '/a', '%PDF-1.7'), { kind: 'file', fileName: 'a.pdf' }, `${type}`);
    t.equal(kindOf(type, '/a', picture), null, `${type}`);
  }
  t.same(kindOf('application/octet-stream', '/get', archiveOf('word/document.xml')), {
    kind: 'file',
    fileName: 'get.docx',
  });
  t.equal(kindOf('application/octet-stream', '/get', archiveOf('readme.txt')), null);
});

t.test('a repeated media type counts once, with its charset', async (t) => {
  t.same(kindOf('text/html; charset=koi8-r, text/html'), {
    kind: 'page',
    contentType: 'text/html; charset=koi8-r',
  });
  t.same(kindOf('text/html,, text/html; charset=utf-8'), {
    kind: 'page',
    contentType: 'text/html; charset=utf-8',
  });
});

t.test('a document is read as what it is under any media type', async (t) => {
  for (const type of ['text/html', 'text/plain', 'application/json', 'image/png', 'application/zip'])
    t.same(kindOf(type, '/a.pdf', '%PDF-1.4'), { kind: 'file', fileName: 'a.pdf' }, type);
  t.same(kindOf('text/html', '/a', archiveOf('xl/workbook.xml')), { kind: 'file', fileName: 'a.xlsx' });
  t.same(kindOf('application/pdf', '/a.pdf', '<!doctype html><p>Moved.'), {
    kind: 'page',
    contentType: 'text/html',
  });
});

t.test('binary data under a text type are refused', async (t) => {
  for (const type of ['text/html', 'text/plain', 'text/html; charset=utf-8', 'text/markdown'])
    for (const body of [picture, noise, '{\\rtf1 text}', archiveOf('a.png'), '\u0000'.repeat(20)])
      t.equal(kindOf(type, '/a', body), null);
  const page = (contentType: string) => ({ kind: 'page', contentType });
  const utf16 = Buffer.from('Некоторые слова о лодках и пристани.', 'utf16le');
  t.same(kindOf('text/html; charset=utf-16le', '/a', utf16), page('text/html; charset=utf-16le'));
  t.same(kindOf('text/html', '/a', Buffer.from('Words without a mark.', 'utf16le')), page('text/html'));
  t.same(kindOf('text/plain', '/a', 'ID3 tags hold the name of a song.'), page('text/plain'));
  t.same(kindOf('text/plain', '/a', `A stray${'\u0000'} byte.`), page('text/plain'));
});

t.test('pages are recognised under types that servers do not know', async (t) => {
  const page = '<?xml version="1.0"?>\n<html><p>Words.</p></html>';
  for (const type of ['application/xml', 'application/x-httpd-php', 'text/css', 'image/png'])
    t.same(kindOf(`${type}; charset=koi8-r`, '/a', page), {
      kind: 'page',
      contentType: 'text/html; charset=koi8-r',
    });
  t.equal(kindOf('application/xml', '/a', '<?xml version="1.0"?><rss/>'), null);
});

t.test('data falsely declared as UTF-16 are refused', async (t) => {
  t.equal(kindOf('text/html; charset=utf-16', '/a', noise), null);
  t.equal(kindOf('text/html; charset=utf-16', '/a', 'Plain words.')?.kind, 'page');
});

t.test('pictures and films are not read, unless they are PDFs or pages', async (t) => {
  t.notOk(mayBeReadable('image/png', picture));
  t.notOk(mayBeReadable('video/mp4', noise));
  t.ok(mayBeReadable('image/png', Buffer.from('%PDF-1.7')));
  t.ok(mayBeReadable('audio/mpeg', Buffer.from('<!doctype html><p>Words.')));
  t.ok(mayBeReadable('application/json', noise));
  t.ok(mayBeReadable(null, noise));
});
