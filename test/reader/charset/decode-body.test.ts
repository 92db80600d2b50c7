import t from '../../support/t.js';
import { contentOf, extractHtml } from '../page/extract.js';

/** Bytes of characters up to U+00FF. */
const latin = (text: string): Uint8Array => Uint8Array.from(text, (char) => char.charCodeAt(0));
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

const cases: {
  name: string;
  bytes: Uint8Array;
  contentType: string | null;
  text: string;
  charset: string;
}[] = [
  {
    name: 'UTF-8 without any declaration',
    bytes: utf8('<p>Größe</p>'),
    contentType: 'text/html',
    text: 'Größe',
    charset: 'utf-8',
  },
  {
    name: 'a short UTF-8 text with one byte of another charset',
    bytes: latin('<p>H\xc3\xb6he: 4\xa0m, \xc3\x9cbergabe um 9 Uhr, T\xc3\xbcren</p>'),
    contentType: 'text/html',
    text: 'Höhe: 4\ufffdm, Übergabe',
    charset: 'utf-8',
  },
  {
    name: 'the header',
    bytes: latin('<p>Gr\xf6\xdfe \x80</p>'),
    contentType: 'text/html; charset="ISO-8859-1"',
    text: 'Größe €',
    charset: 'windows-1252',
  },
  {
    name: 'the meta element',
    bytes: latin('<meta charset=iso-8859-2><p>\xb3\xf3d\xbc</p>'),
    contentType: 'text/html',
    text: 'łódź',
    charset: 'iso-8859-2',
  },
  {
    name: 'a meta element far down',
    bytes: latin(
      `<head><!--${' '.repeat(3_000)}--><meta http-equiv="Content-Type" content="text/html; charset=windows-1251"></head><p>\xcf\xf0\xe8\xe2\xe5\xf2</p>`,
    ),
    contentType: null,
    text: 'Привет',
    charset: 'windows-1251',
  },
  {
    name: 'a byte order mark over everything',
    bytes: Uint8Array.of(
      0xff,
      0xfe,
      ...new Uint8Array(Uint16Array.from('<p>ok ж</p>', (char) => char.charCodeAt(0)).buffer),
    ),
    contentType: 'text/html; charset=utf-8',
    text: 'ok ж',
    charset: 'utf-16le',
  },
  {
    name: 'UTF-8 behind a wrong header',
    bytes: utf8('<p>Größe – naïve</p>'),
    contentType: 'text/html; charset=iso-8859-1',
    text: 'Größe – naïve',
    charset: 'utf-8',
  },
  {
    name: 'another charset behind a wrong UTF-8 header',
    bytes: latin(`<p>${'D\xe9j\xe0 vu \xe0 l\xe9t\xe9, \xe7a va. '.repeat(10)}</p>`),
    contentType: 'text/html; charset=utf-8',
    text: 'Déjà vu à lété, ça va.',
    charset: 'iso-8859-1',
  },
  {
    name: 'a charset that does not exist',
    bytes: utf8('<p>Größe</p>'),
    contentType: 'text/html; charset=klingon',
    text: 'Größe',
    charset: 'utf-8',
  },
  {
    name: 'Shift_JIS in the header',
    bytes: Uint8Array.of(...latin('<p>'), 0x8b, 0xb4, ...latin('</p>')),
    contentType: 'text/html; charset=Shift_JIS',
    text: '橋',
    charset: 'shift_jis',
  },
];

for (const { name, bytes, contentType, text, charset } of cases) {
  t.test(`decodes text: ${name}`, async (t) => {
    const extraction = contentOf(t, extractHtml(bytes, contentType));
    t.ok(extraction.text.startsWith(text), extraction.text.slice(0, 60));
    if (charset === 'iso-8859-1')
      t.match(String(extraction.metadata.charset), /^(?:windows-125\d|iso-8859-\d+)$/);
    else t.equal(extraction.metadata.charset, charset);
  });
}
