import { MAX_TEXT_BYTES } from '../../../reader/cap-text.js';
import { extractFile } from '../../../workers/threads/file.thread.js';
import t from '../../support/t.js';
import { contentOf, extractHtml } from '../page/extract.js';

/* A text gives the same result whether it is uploaded or found on the web. */

const uploaded = async (t: Parameters<typeof contentOf>[0], bytes: Uint8Array) =>
  contentOf(t, await extractFile({ bytes: Uint8Array.from(bytes), fileName: 'a.txt' }));
const crawled = (t: Parameters<typeof contentOf>[0], bytes: Uint8Array) =>
  contentOf(t, extractHtml(bytes, 'text/plain', 'https://site.example/a.txt'));

t.test('an undeclared charset is recognised in the same way', async (t) => {
  const cases: [string, string, string][] = [
    ['windows-1252', '934772f6df6594209620323020802066fc7220436166e9', '“Größe” – 20 € für Café'],
    ['windows-1251', 'cff0e8e2e5f22c20ece8f02e20cae0ea20e4e5ebe03f', 'Привет, мир. Как дела?'],
    ['ibm866', '8fe0a8a2a5e22c20aca8e02e208aa0aa20a4a5aba03f', 'Привет, мир. Как дела?'],
    ['koi8-r', 'f0d2c9d7c5d42c20cdc9d22e20ebc1cb20c4c5ccc13f', 'Привет, мир. Как дела?'],
    ['windows-1250', '50f8ed6c699a209e6c759d6f75e86bfd206bf9f2', 'Příliš žluťoučký kůň'],
    [
      'ibm850',
      '477294e16572652048847573657220668172207a77946c662047847374652c20667281682070728166656e',
      'Größere Häuser für zwölf Gäste, früh prüfen',
    ],
    [
      'ibm852',
      'bda28874652088a56b692c2098636965be6b69206920ab64ab6288612073a5206a75be206d6f6b7265',
      'Żółte łąki, ścieżki i źdźbła są już mokre',
    ],
    [
      'iso-8859-2',
      '4be9726afc6b2c20f572697a7a65206d6567206120737afb72f57420e97320612068fb76f6732076f66472f674',
      'Kérjük, őrizze meg a szűrőt és a hűvös vödröt',
    ],
    [
      'windows-1257',
      '42e7726e69206de263e2732064e2727ae22c20626574206de2746520f0fb737420706965206c6f6761206cee647a2076e76c616d2076616b6172616d',
      'Bērni mācās dārzā, bet māte šūst pie loga līdz vēlam vakaram',
    ],
    [
      'windows-1258',
      '43fdd261206df5d2206cfa63207461ec6d206769f5cc2c2078696e20676ff269207472fdf5ec6320f0ead220f0fdf5f26320706875f263207675f2',
      'Cửa mở lúc tám giờ, xin gọi trước để được phục vụ',
    ],
    ['shift_jis', '82b782d782c482cc906c8ad482cd8ea9975282c582a082e9', 'すべての人間は自由である'],
    ['euc-kr', 'b8f0b5e720c0ceb0a3c0ba20c0dac0afb7cec0cc', '모든 인간은 자유로이'],
    ['gb18030', 'c8cbc8cbc9fab6f8d7d4d3c9a3acced2c3c7cce1b9a9b7fecef1a1a3', '人人生而自由，我们提供服务。'],
    ['big5', 'a448a448a5cda6d3a6dba5d1a141a7daadccb4a3a8d1aa41b0c8a143', '人人生而自由，我們提供服務。'],
  ];
  for (const [charset, hex, text] of cases) {
    const bytes = Buffer.from(hex, 'hex');
    for (const read of [await uploaded(t, bytes), crawled(t, bytes)]) {
      t.equal(read.text, text, charset);
      t.equal(read.metadata.charset, charset);
    }
    const page = Buffer.concat([Buffer.from('<html><body><p>'), bytes, Buffer.from('</p></body></html>')]);
    t.equal(contentOf(t, extractHtml(page, 'text/html')).text, text, `${charset}, in a page`);
  }
});

t.test('UTF-8 with a few invalid bytes stays UTF-8', async (t) => {
  const bytes = Buffer.concat([Buffer.from('Größe: fünf Äpfel '), Buffer.of(0x96), Buffer.from(' süß')]);
  const page = Buffer.concat([Buffer.from('<html><body><p>'), bytes, Buffer.from('</p></body></html>')]);
  for (const read of [
    await uploaded(t, bytes),
    crawled(t, bytes),
    contentOf(t, extractHtml(page, 'text/html; charset=iso-8859-1')),
  ]) {
    t.equal(read.text, 'Größe: fünf Äpfel \ufffd süß');
    t.equal(read.metadata.charset, 'utf-8');
  }
});

t.test('a very long text is truncated at the same position and marked', async (t) => {
  const line = 'Ein langer Satz über Brücken und Boote.\n';
  const bytes = Buffer.from(line.repeat(Math.ceil(MAX_TEXT_BYTES / Buffer.byteLength(line)) + 1));
  const [file, page] = [await uploaded(t, bytes), crawled(t, bytes)];
  t.equal(file.text.length, page.text.length);
  t.ok(file.text === page.text, 'the same text');
  t.ok(Buffer.byteLength(file.text) <= MAX_TEXT_BYTES);
  t.ok(file.text.endsWith('Boote.'));
  t.equal(file.metadata.truncated, true);
  t.equal(page.metadata.truncated, true);
});
