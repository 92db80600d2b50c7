import t from 'tap';
import { defaultLimits } from '../../../../workers/extract/file/limits.js';
import { extractFile } from '../../../../workers/threads/file.thread.js';
import { extractFileWithin } from '../../../support/extract-within.js';
import { codeOf, textOf } from './fixtures.js';

const read = (bytes: Uint8Array | readonly number[], fileName = 'a.txt') =>
  extractFile({ bytes: new Uint8Array(bytes), fileName });

const utf16 = (text: string, bigEndian = false) => {
  const bytes = Buffer.from(text, 'utf16le');
  return new Uint8Array(bigEndian ? bytes.swap16() : bytes);
};

t.test('Unicode is read with and without a byte order mark', async (t) => {
  const text = 'Größe, größer, 漢字 😀';
  for (const bytes of [
    Buffer.from(text),
    Buffer.from(`\ufeff${text}`),
    utf16(`\ufeff${text}`),
    utf16(`\ufeff${text}`, true),
    utf16(text),
    utf16(text, true),
  ]) {
    t.equal(textOf(await read(bytes)), text);
  }
});

t.test('legacy charsets are recognised by word-like text', async (t) => {
  const cases: [string, string, string][] = [
    ['windows-1252', '934772f6df6594209620323020802066fc7220436166e9', '“Größe” – 20 € für Café'],
    ['windows-1251', 'cff0e8e2e5f22c20ece8f02e20cae0ea20e4e5ebe03f', 'Привет, мир. Как дела?'],
    ['ibm866', '8fe0a8a2a5e22c20aca8e02e208aa0aa20a4a5aba03f', 'Привет, мир. Как дела?'],
    ['koi8-r', 'f0d2c9d7c5d42c20cdc9d22e20ebc1cb20c4c5ccc13f', 'Привет, мир. Как дела?'],
    ['windows-1250', '50f8ed6c699a209e6c759d6f75e86bfd206bf9f2', 'Příliš žluťoučký kůň'],
    ['shift_jis', '82b782d782c482cc906c8ad482cd8ea9975282c582a082e9', 'すべての人間は自由である'],
    ['euc-kr', 'b8f0b5e720c0ceb0a3c0ba20c0dac0afb7cec0cc', '모든 인간은 자유로이'],
    ['gb18030', 'c8cbc8cbc9fab6f8d7d4d3c9a3acced2c3c7cce1b9a9b7fecef1a1a3', '人人生而自由，我们提供服务。'],
    ['big5', 'a448a448a5cda6d3a6dba5d1a141a7daadccb4a3a8d1aa41b0c8a143', '人人生而自由，我們提供服務。'],
  ];
  for (const [charset, hex, text] of cases) {
    const result = await read(Buffer.from(hex, 'hex'));
    t.match(result, { extraction: { metadata: { charset } } }, charset);
    t.equal(textOf(result), text);
  }
});

t.test('line ends become LF, control characters are removed', async (t) => {
  t.equal(textOf(await read(Buffer.from('a\r\nb\rc\nd\x07\x1b[0m'))), 'a\nb\nc\nd[0m');
});

t.test('text is stored in NFC', async (t) => {
  t.equal(textOf(await read(Buffer.from('u\u0308ber'))), 'über');
});

t.test('Markdown stays unchanged, without its front matter', async (t) => {
  const source =
    '---\ntitle: "From the front"\ntags: [a]\n---\n\n# Heading\n\n```js\n# no heading\n```\n\n| a | b |\n';
  const result = await read(Buffer.from(source), 'a.md');
  t.equal(textOf(result), source.slice(source.indexOf('\n# Heading')));
  t.match(result, { extraction: { title: 'From the front', metadata: { titleSource: 'front-matter' } } });
});

t.test('the fallback title of Markdown is its first heading outside code', async (t) => {
  const fenced = await read(Buffer.from('```\n# code\n```\n\n## Real heading ##\n'), 'a.md');
  t.match(fenced, { extraction: { title: 'Real heading', metadata: { titleSource: 'heading' } } });
  const underlined = await read(Buffer.from('Big title\n=========\n\ntext'), 'a.md');
  t.match(underlined, { extraction: { title: 'Big title' } });
  const ruled = await read(Buffer.from('---\n\nA rule, no front matter.\n\n---\n'), 'a.md');
  t.match(textOf(ruled), /no front matter/);
});

t.test('titles of Markdown lose their markers', async (t) => {
  for (const [line, title] of [
    ['# The **bold** one {#bold .x}', 'The bold one'],
    ['**Underlined** one\n===', 'Underlined one'],
  ]) {
    t.match(await read(Buffer.from(`${line}\n\ntext`), 'a.md'), { extraction: { title } });
  }
});

t.test('a # starts a heading in Markdown, but not in a text file', async (t) => {
  const source = Buffer.from('# stop the service\nhalt\n');
  t.match(await read(source), { extraction: { chunks: [{ headings: [] }] } });
  t.match(await read(source, 'a.md'), { extraction: { chunks: [{ headings: ['stop the service'] }] } });
});

t.test('embedded picture data is omitted', async (t) => {
  const data = 'iVBORw0KGgoAAAANSUhEUgAAAAUAAAAFCAYAAACNbyblAAAAHElEQVQI12P4//8/w38GIAXDIBKE0DHxgljNBAAO';
  const drawing = "data:image/svg+xml;utf8,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Cg/%3E%3C/svg%3E";
  const source = `One ![a](data:image/png;base64,${data}==)\ntwo url(${drawing})\n[l]: data:font/woff2;charset=utf-8;base64,${data}\n${data}\n9TXL0Y4OHwAA==\nthree`;
  for (const name of ['a.md', 'a.txt'])
    t.equal(textOf(await read(Buffer.from(source), name)), 'One ![a]()\ntwo url()\n[l]: \nthree');
  t.equal(
    textOf(await read(Buffer.from('data:text/plain;base64,SGk= says Hi'))),
    'data:text/plain;base64,SGk= says Hi',
  );
});

t.test('7-bit Japanese is recognised by its escapes', async (t) => {
  const bytes = Uint8Array.from([
    0x1b, 0x24, 0x42, 0x46, 0x7c, 0x4b, 0x5c, 0x38, 0x6c, 0x1b, 0x28, 0x42, 0x21,
  ]);
  t.equal(textOf(await extractFile({ bytes, fileName: 'a.txt' })), '日本語!');
});

t.test('a stray NUL or padding at the end is text, more NULs are binary', async (t) => {
  const code = async (text: string) =>
    codeOf(await extractFile({ bytes: new TextEncoder().encode(text), fileName: 'a.txt' }));
  const words = 'Words of a log file. '.repeat(100);
  t.equal(
    textOf(await extractFile({ bytes: new TextEncoder().encode(`Hello\0\0\0\0`), fileName: 'a.txt' })),
    'Hello',
  );
  t.equal(await code(`${words}\0${words}`), 'ok');
  t.equal(await code(`${words}${'\0'.repeat(50)}${words}`), 'FILE_TYPE_MISMATCH');
});

t.test('a text file above the limit is truncated and marked', async (t) => {
  const bytes = new TextEncoder().encode('äöü '.repeat(3000));
  const result = await extractFileWithin({ bytes, fileName: 'a.txt' }, { ...defaultLimits, textBytes: 1001 });
  t.match(result, { ok: true, extraction: { metadata: { truncated: true, charset: 'utf-8' } } });
  t.match(textOf(result), /^(äöü )+/);
});

t.test('a text file without text fails with a reason', async (t) => {
  // "THIS IS A LETTER FROM THE OLD MACHINE. " in code page 037
  const letter = 'e3c8c9e240c9e240c140d3c5e3e3c5d940c6d9d6d440e3c8c540d6d3c440d4c1c3c8c9d5c54b40';
  const ebcdic = await read(Buffer.from(letter.repeat(20), 'hex'));
  t.equal(codeOf(ebcdic), 'FILE_UNPARSABLE');
  t.match(textOf(ebcdic), /EBCDIC/);
  const signs = await read(Buffer.from('%&$§)(=?`^°<>;:{[]}\\!"'.repeat(20)));
  t.equal(codeOf(signs), 'FILE_UNPARSABLE');
  t.match(textOf(signs), /no words/);
});

t.test('rules, tables of numbers and signs among words are text', async (t) => {
  const texts = [
    `${'='.repeat(400)}\nTotal\n${'-'.repeat(400)}\n`,
    '| 12 | 3,50 € | 17 % | (4) |\n'.repeat(40),
    'printf("%s\\n", argv[i++]); /* && || != */\n'.repeat(20),
    '⠞⠓⠑⠀⠗⠊⠧⠑⠗⠀'.repeat(40),
    'user@host.example user@other.example\n'.repeat(20),
  ];
  for (const text of texts) t.equal(codeOf(await read(Buffer.from(text))), 'ok', text.slice(0, 20));
});
