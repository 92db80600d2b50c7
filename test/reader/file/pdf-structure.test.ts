import { createCipheriv, createHash } from 'node:crypto';
import { deflateSync } from 'node:zlib';
import { withoutFalseHeadings } from '../../../reader/file/pdf/structure/false-headings.js';
import { extractFile } from '../../../workers/threads/file.thread.js';
import t from '../../support/t.js';
import { sentence } from '../page/sentences.js';
import { encryptedPdf } from './encrypted-pdf.js';
import { codeOf, pdf, pdfLines, pdfOf, textOf } from './fixtures.js';

const extract = (bytes: Uint8Array, fileName = 'a.pdf') => extractFile({ bytes, fileName });
const read = async (bytes: Uint8Array) => textOf(await extract(bytes));
const word = (x: number, y: number, text: string, font = 'F1', size = 9) =>
  `BT /${font} ${size} Tf ${x} ${y} Td (${text.replace(/[\\()]/g, '\\$&')}) Tj ET`;

/** Pages with an additional bold font, F2. */
function twoFonts(contents: readonly string[]): Uint8Array {
  const kids = contents.map((_, i) => `${5 + 2 * i} 0 R`).join(' ');
  return pdfOf([
    '<</Type/Catalog/Pages 2 0 R>>',
    `<</Type/Pages/Kids[${kids}]/Count ${contents.length}>>`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>',
    ...contents.flatMap((content, i) => [
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents ${6 + 2 * i} 0 R/Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>>>`,
      `<</Length ${content.length}>>\nstream\n${content}\nendstream`,
    ]),
  ]);
}

/** Wraps a text after this many characters. */
function wrapped(text: string, chars: number): string[] {
  const lines = [''];
  for (const one of text.split(' ')) {
    const line = `${lines.at(-1)} ${one}`.trim();
    if (line.length > chars) lines.push(one);
    else lines[lines.length - 1] = line;
  }
  return lines;
}

const passage = (from: number, count: number) =>
  Array.from({ length: count }, (_, i) => sentence(from + i)).join(' ');

t.test('columns drawn row by row are read one after the other', async (t) => {
  const texts = [passage(1, 8), passage(100, 8), passage(200, 8)];
  const columns = texts.map((text) => wrapped(text, 34));
  const rows = Math.max(...columns.map((column) => column.length));
  const drawn = Array.from({ length: rows }, (_, row) =>
    columns
      .map((column, i) => (column[row] ? word(40 + 180 * i, 680 - 11 * row, column[row]) : ''))
      .join('\n'),
  );
  const head = word(40, 720, 'How to put the shelf together, in three languages of this house', 'F1', 18);
  const foot = word(
    40,
    60,
    'All measures are those of the shelf as it leaves the workshop, and none of them is binding for the builder.',
  );
  const shown = (await read(pdf([[head, ...drawn, foot].join('\n')]))).replace(/\s+/g, ' ');
  for (const text of texts) t.ok(shown.includes(text), 'a column is whole', { shown });
  t.match(shown, /^# How to put the shelf/);
  t.match(shown, /binding for the builder\.$/);
});

t.test('a table of three columns is read row by row', async (t) => {
  const rows = Array.from({ length: 14 }, (_, row) =>
    ['Bolt', `M${row + 3}`, `${row * 7} pieces`]
      .map((cell, i) => word(40 + 180 * i, 680 - 11 * row, cell))
      .join('\n'),
  );
  t.match(await read(pdf([rows.join('\n')])), /\| Bolt \| M3 \| 0 pieces \|\n\| Bolt \| M4 \| 7 pieces \|/);
});

t.test('headings are recognised by size, font or number, and chunks contain them', async (t) => {
  const body = (y: number, from: number) => pdfLines(72, y, wrapped(passage(from, 5), 80), 10, 12);
  const page = [
    word(72, 740, 'The manual of the mill', 'F1', 22),
    word(72, 700, 'Installation', 'F1', 15),
    body(680, 1),
    word(72, 560, 'Before you begin', 'F2', 10),
    body(544, 20),
    word(72, 430, '2.1 Cleaning the stones', 'F1', 10),
    body(404, 40),
    pdfLines(72, 300, ['# not a heading', 'of this text'], 10, 12),
  ].join('\n');
  const result = await extract(twoFonts([page]));
  const text = textOf(result);
  t.match(text, /^# The manual of the mill\n\n## Installation\n\n/);
  t.match(text, /\n\n### Before you begin\n\n/);
  t.match(text, /\n\n### 2\.1 Cleaning the stones\n\n/);
  t.match(text, /\n\n\\# not a heading\nof this text/);
  t.match(result, {
    ok: true,
    extraction: {
      chunks: [
        { headings: ['The manual of the mill', 'Installation'] },
        { headings: ['The manual of the mill', 'Installation', 'Before you begin'] },
        { headings: ['The manual of the mill', 'Installation', '2.1 Cleaning the stones'] },
      ],
    },
  });
});

t.test('bold words in a text and lists of bold lines are not headings', async (t) => {
  const lines = wrapped(passage(1, 12), 80);
  const bold = [
    word(72, 700, 'Note', 'F2', 10),
    word(100, 700, 'that this line goes on in the plain font.', 'F1', 10),
  ];
  const list = ['Monday', 'Tuesday', 'Wednesday', 'Thursday'].map((day, i) =>
    word(72, 660 - 12 * i, day, 'F2', 10),
  );
  t.notMatch(await read(twoFonts([[...bold, ...list, pdfLines(72, 590, lines, 10, 12)].join('\n')])), /^#/m);
});

t.test('names below a title are not headings', async (t) => {
  const page = [
    word(72, 740, 'A study of the mill', 'F1', 20),
    word(72, 710, 'Ada Lovelace', 'F1', 13),
    word(72, 680, 'University of the River', 'F1', 13),
    word(72, 650, 'March 2024', 'F1', 13),
    word(72, 610, 'Abstract', 'F1', 16),
    pdfLines(72, 590, wrapped(passage(1, 6), 80), 10, 12),
    word(72, 480, 'Anna Berg, Luis Cruz, Chen Wei, Olga Orlova', 'F1', 13),
    pdfLines(72, 460, wrapped(passage(20, 6), 80), 10, 12),
    word(72, 340, 'info@mill.example', 'F1', 13),
    pdfLines(72, 320, wrapped(passage(40, 6), 80), 10, 12),
  ].join('\n');
  const text = await read(twoFonts([page]));
  t.strictSame(text.match(/^#.*/gm), ['# A study of the mill', '## Abstract']);
  for (const name of ['Ada Lovelace', 'University of the River', 'March 2024']) t.ok(text.includes(name));
});

t.test('items of a numbered list in larger letters or another font are not headings', async (t) => {
  const lists = [
    ...['1. numbered list 1', '2. numbered list 2'].map((item, i) => word(72, 700 - 40 * i, item, 'F1', 14)),
    pdfLines(72, 630, wrapped(passage(1, 6), 80), 10, 12),
    ...['1. Erster Punkt', '2. Zweiter Punkt'].map((item, i) => word(72, 520 - 20 * i, item, 'F1', 14)),
    pdfLines(72, 470, wrapped(passage(20, 6), 80), 10, 12),
    word(72, 380, '3. un point en gras', 'F2', 10),
    pdfLines(72, 350, wrapped(passage(40, 6), 80), 10, 12),
    ...['Primero', 'Segundo', 'Tercero'].map((item, i) => word(72, 260 - 30 * i, item, 'F1', 14)),
    pdfLines(72, 160, wrapped(passage(60, 6), 80), 10, 12),
  ].join('\n');
  t.notMatch(await read(twoFonts([lists])), /^#/m);
});

t.test('sentences and bullets in larger letters are not headings, sections without text are', async (t) => {
  const page = [
    word(72, 740, 'This line in large letters is a whole sentence of its own.', 'F1', 14),
    pdfLines(72, 710, wrapped(passage(1, 6), 80), 10, 12),
    word(72, 600, `${String.fromCharCode(149)} a bullet`, 'F1', 14),
    pdfLines(72, 570, wrapped(passage(20, 6), 80), 10, 12),
    word(72, 460, '2 Methods', 'F1', 14),
    word(72, 430, '2.1 Measures', 'F1', 14),
    pdfLines(72, 410, wrapped(passage(40, 6), 80), 10, 12),
    word(72, 300, 'Chapter three', 'F1', 14),
    word(72, 270, 'The river', 'F1', 14),
    pdfLines(72, 250, wrapped(passage(60, 6), 80), 10, 12),
  ].join('\n');
  t.strictSame((await read(twoFonts([page]))).match(/^#.*/gm), [
    '# 2 Methods',
    '# 2.1 Measures',
    '# Chapter three',
    '# The river',
  ]);
});

t.test('page numbers and repeated running heads are removed', async (t) => {
  const pages = Array.from({ length: 5 }, (_, i) =>
    [
      word(72, 770, 'Report of the harbour office'),
      pdfLines(72, 700, wrapped(passage(i * 10, 6), 80), 10, 12),
      word(300, 30, `Page ${i + 7} of 11`),
    ].join('\n'),
  );
  const text = await read(pdf(pages));
  t.equal(text.match(/Report of the harbour office/g)?.length, 1);
  t.notMatch(text, /Page \d/);
  for (let i = 0; i < 5; i++) t.ok(text.includes(sentence(i * 10)), `page ${i + 1} is whole`);
});

t.test('lines that pages repeat below their text, or that few pages repeat, are content', async (t) => {
  const pages = Array.from({ length: 8 }, (_, i) =>
    [
      pdfLines(72, 700, wrapped(passage(i * 10, 6), 80), 10, 12),
      word(72, 560, 'Guarantee: four years'),
      i < 3 ? word(72, 40, 'Sold only in spring') : '',
    ].join('\n'),
  );
  const text = await read(pdf(pages));
  t.equal(text.match(/Guarantee: four years/g)?.length, 8);
  t.equal(text.match(/Sold only in spring/g)?.length, 3);
});

t.test('a head with a page number stays once, without the number', async (t) => {
  const foot = (i: number) => `${word(72, 40, 'Valid from May 2031')} ${word(480, 40, `Page ${i + 1} of 5`)}`;
  const pages = Array.from({ length: 5 }, (_, i) =>
    [pdfLines(72, 700, wrapped(passage(i * 10, 6), 80), 10, 12), foot(i)].join('\n'),
  );
  const text = await read(pdf(pages));
  t.equal(text.match(/Valid from May 2031/g)?.length, 1);
  t.notMatch(text, /Page \d/);
});

t.test('a head keeps letters before numbers that are none of pages, and no number of a page', async (t) => {
  const withHead = (head: (i: number) => string) =>
    read(
      pdf(
        Array.from({ length: 5 }, (_, i) =>
          [word(72, 770, head(i)), pdfLines(72, 700, wrapped(passage(i * 10, 6), 80), 10, 12)].join('\n'),
        ),
      ),
    );
  const routes = await withHead((i) => `Route S${i + 3}`);
  for (let i = 0; i < 5; i++) t.match(routes, `Route S${i + 3}`);
  for (const [number, all] of [
    [', page ', ''],
    [' ', ''],
    [', p. ', ' of 5'],
  ] as const) {
    const text = await withHead((i) => `Manual of the pumps${number}${i + 1}${all}`);
    t.equal(text.match(/^Manual of the pumps$/gm)?.length, 1, number);
    t.notMatch(text, /pumps.*\d$/m, number);
  }
});

t.test(
  'lines in the margin that belong to the text, or that count something else, are content',
  async (t) => {
    const pages = Array.from({ length: 5 }, (_, i) =>
      [
        word(72, 770, `Room ${i + 12}`),
        word(72, 40, `Meeting of ${i + 3} May 2031`),
        pdfLines(72, 720, [...wrapped(passage(i * 10, 20), 60).slice(0, 44), 'Heating: electric'], 10, 15),
      ].join('\n'),
    );
    const text = await read(pdf(pages));
    t.equal(text.match(/Heating: electric/g)?.length, 5);
    for (let i = 0; i < 5; i++) {
      t.match(text, `Room ${i + 12}`);
      t.match(text, `Meeting of ${i + 3} May 2031`);
    }
  },
);

t.test('a number alone is a page number also above the margin', async (t) => {
  const pages = Array.from({ length: 4 }, (_, i) =>
    [pdfLines(72, 700, wrapped(passage(i * 10, 6), 80), 10, 12), word(300, 128, String(i + 1))].join('\n'),
  );
  t.notMatch(await read(pdf(pages)), /^\d$/m);
});

t.test("numbers at a page's edge that are not page numbers are content", async (t) => {
  const records = [4_711, 815, 9_002, 77].map((number) =>
    [word(72, 770, `Invoice ${number}`), pdfLines(72, 700, [sentence(number % 100)], 10, 12)].join('\n'),
  );
  const text = await read(pdf(records));
  for (const number of [4_711, 815, 9_002, 77]) t.ok(text.includes(`Invoice ${number}`));
});

const natural =
  'When the water rises in early spring, everyone who lives beside the river moves the boats to the upper meadow and waits. Nobody knows how long it takes until the ground is dry again. In some years the ferry starts in April, in others the first guests come as late as June, and the innkeeper counts the days on a piece of slate. She has done so since her mother gave her the keys, and she intends to continue for as many years as the house stands.';

/** Text shown by a font whose glyph codes differ from those of its letters. */
const shifted = (text: string) =>
  text.replace(/[a-z]/gi, (letter) => String.fromCharCode(letter.charCodeAt(0) - 29));

t.test('lists pages whose glyphs form no words, and fails a file without other pages', async (t) => {
  const garbled = pdfLines(72, 700, wrapped(shifted(natural), 60), 10, 12);
  const clear = pdfLines(72, 700, wrapped(passage(1, 14), 80), 10, 12);
  const none = await extract(pdf([garbled, garbled]));
  t.equal(codeOf(none), 'FILE_UNPARSABLE');
  t.match(textOf(none), /pages 1-2 cannot be read/);
  const some = await extract(pdf([clear, garbled, clear]));
  t.match(some, { ok: true, extraction: { metadata: { unreadablePages: '2', truncated: true } } });
  t.ok(textOf(some).includes(sentence(3)));
});

/** AES-256 of revision 5 of the standard handler, with the empty user password. */
function aes256Pdf(content: string): Uint8Array {
  const salts = Buffer.from('validat.keysalt.');
  const fileKey = Buffer.alloc(32, 5);
  const sha = (salt: Buffer) => createHash('sha256').update(salt).digest();
  const wrap = createCipheriv('aes-256-cbc', sha(salts.subarray(8)), Buffer.alloc(16)).setAutoPadding(false);
  const user = Buffer.concat([sha(salts.subarray(0, 8)), salts]);
  const userKey = Buffer.concat([wrap.update(fileKey), wrap.final()]);
  const iv = Buffer.alloc(16, 3);
  const cipher = createCipheriv('aes-256-cbc', fileKey, iv);
  const data = Buffer.concat([iv, cipher.update(content), cipher.final()]);
  const hex = (bytes: Buffer) => `<${bytes.toString('hex')}>`;
  return pdfOf(
    [
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[4 0 R]/Count 1>>',
      '<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>',
      '<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R/Resources<</Font<</F1 3 0 R>>>>>>',
      `<</Length ${data.length}>>\nstream\n${data.toString('latin1')}\nendstream`,
    ],
    `/ID[${hex(iv)}${hex(iv)}]/Encrypt<</Filter/Standard/V 5/R 5/Length 256/P -4/O ${hex(Buffer.alloc(48, 1))}/OE ${hex(Buffer.alloc(32, 1))}/U ${hex(user)}/UE ${hex(userKey)}/Perms ${hex(Buffer.alloc(16, 1))}/CF<</StdCF<</CFM/AESV3/AuthEvent/DocOpen/Length 32>>>>/StmF/StdCF/StrF/StdCF>>`,
  );
}

t.test('reads any encrypted file that opens without a password', async (t) => {
  const content = pdfLines(72, 700, ['Open to everybody']);
  t.equal(await read(encryptedPdf(deflateSync(content))), 'Open to everybody');
  t.equal(await read(aes256Pdf(content)), 'Open to everybody');
});

t.test('a page of 200,000 lines in larger letters is read in linear time', { timeout: 30_000 }, async (t) => {
  const line = { text: 'a title', start: 0, end: 90, size: 10, turn: 0, tabular: false, font: '', cells: [] };
  const page = (distance: number) =>
    Array.from({ length: 200_000 }, (_, i) => ({ ...line, v: -distance * i }));
  for (const lines of [page(12), page(30)]) {
    const ranks = withoutFalseHeadings(
      lines,
      lines.map(() => 1),
    );
    t.ok(ranks.slice(1).every((rank) => rank === 0));
  }
});

t.test('a page of 100,000 cells is read in linear time', { timeout: 60_000 }, async (t) => {
  const cells = Array.from({ length: 40_000 }, (_, i) =>
    word(20 + (i % 100) * 6, 780 - Math.floor(i / 100) * 2, 'ab', 'F1', 2),
  );
  t.match(codeOf(await extract(pdf([cells.join('\n')]))), /^ok$/);
});
