import { extractFile } from '../../../workers/threads/file.thread.js';
import t from '../../support/t.js';
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
  t.equal(textOf(result), `# From the front\n${source.slice(source.indexOf('\n# Heading'))}`);
  t.match(result, { extraction: { title: 'From the front', metadata: { titleSource: 'front-matter' } } });
});

t.test('the title and the description in front matter are read', async (t) => {
  const title = 'Nets, ropes: "mended"';
  const description = "The mender's table is by the pier.";
  const yaml = (head: string) => `---\nlayout: page\n${head}\ntags: [a, b]\n---\nText.`;
  for (const source of [
    yaml(`title: 'Nets, ropes: "mended"'\ndescription: The mender's table\n  is by the pier. # short`),
    yaml(`description: >-\n  The mender's table\n  is by the pier.\ntitle: "Nets, ropes: \\"mended\\""`),
    yaml(`title: |\n  Nets, ropes: "mended"\nsummary: 'The mender''s table is by the pier.'`),
    `+++\ntitle = 'Nets, ropes: "mended"'\ndescription = """\nThe mender's table \\\n is by the pier."""\n[extra]\ntitle = "No"\n+++\nText.`,
    `\n---\ntitle: 'Nets, ropes: "mended"'\ndescription: The mender's table is by the pier.\n...\nText.`,
    `{\n  "description": ${JSON.stringify(description)},\n  "title": ${JSON.stringify(title)}\n}\n\nText.`,
    `---json\n${JSON.stringify({ title, description })}\n---\nText.`,
    `;;;\n"title": ${JSON.stringify(title)},\n"description": ${JSON.stringify(description)}\n;;;\nText.`,
    `+++\ndescription = "The mender\\u0027s table is by the pier."\ntitle = "Nets, ropes: \\"mended\\""\n+++\nText.`,
  ]) {
    const result = await read(Buffer.from(source), 'a.md');
    t.match(result, { extraction: { title } });
    t.equal(textOf(result), `# ${title}\n\n${description}\n\nText.`);
  }
  const said = await read(
    Buffer.from(`---\ndescription: Boats for all.\n---\n# Boats\n\nBoats for all.`),
    'a.md',
  );
  t.equal(textOf(said), '# Boats\n\nBoats for all.');
  for (const odd of ['title: [a, b]', 'title: {x: 1}', 'title:', 'title: "open', 'subtitle: x'])
    t.match(await read(Buffer.from(yaml(odd)), 'a.md'), { ok: true });
});

t.test('the fallback title of Markdown is its first heading outside code', async (t) => {
  const fenced = await read(Buffer.from('```\n# code\n```\n\n## Real heading ##\n'), 'a.md');
  t.match(fenced, { extraction: { title: 'Real heading', metadata: { titleSource: 'heading' } } });
  const underlined = await read(Buffer.from('Big title\n=========\n\ntext'), 'a.md');
  t.match(underlined, { extraction: { title: 'Big title' } });
  const ruled = await read(Buffer.from('---\n\nA rule, no front matter.\n\n---\n'), 'a.md');
  t.match(textOf(ruled), /no front matter/);
  const noted = await read(Buffer.from('---\n\nNote: bring a towel.\n\n---\n\nText.'), 'a.md');
  t.match(textOf(noted), 'Note: bring a towel.');
  const data = await read(Buffer.from('{\n  "port": 8080\n}\n'), 'a.md');
  t.match(textOf(data), '"port": 8080', 'an object without a title is content');
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

t.test('ISO-8859-15 is known by its letters and the euro sign', async (t) => {
  const bytes = Buffer.from('Le c\xbdur du mus\xe9e co\xfbte 7 \xa4, l\xe0-bas aussi.', 'latin1');
  t.equal(textOf(await read(bytes)), 'Le cœur du musée coûte 7 €, là-bas aussi.');
  t.equal(textOf(await read(Buffer.from('Caf\xe9: 1\xbd St\xfcck', 'latin1'))), 'Café: 1½ Stück');
  for (const text of ['Na, wie geht´s? Schöne Grüße', 'L´été est là'])
    t.equal(textOf(await read(Buffer.from(text, 'latin1'))), text, 'an accent for an apostrophe');
});

t.test('stray NULs or padding at the end are text, more NULs are binary', async (t) => {
  const code = async (text: string) =>
    codeOf(await extractFile({ bytes: new TextEncoder().encode(text), fileName: 'a.txt' }));
  const words = 'Words of a log file. '.repeat(100);
  t.equal(
    textOf(await extractFile({ bytes: new TextEncoder().encode(`Hello\0\0\0\0`), fileName: 'a.txt' })),
    'Hello',
  );
  t.equal(await code(`A few words of a log.${'\0'.repeat(400)}`), 'ok');
  t.equal(await code(`${words}\0${words}`), 'ok');
  t.equal(await code(`${words}${'\0'.repeat(50)}${words}`), 'ok');
  t.equal(textOf(await read(Buffer.from('Two keys\0 open\0 it.'))), 'Two keys open it.');
  t.equal(await code(`${words}${'\0'.repeat(1000)}${words}`), 'FILE_TYPE_MISMATCH');
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
