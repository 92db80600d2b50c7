import { CHUNK_MAX, CHUNK_TARGET } from '../../../core/knowledge/text/chunk-pieces.js';
import { chunkText } from '../../../core/knowledge/text/chunk-text.js';
import type { Chunk } from '../../../core/tasks/wire.js';
import t from '../../support/t.js';

const pieces = (text: string): string[] => chunkText(text).map((chunk) => text.slice(chunk.start, chunk.end));
const codePoints = (text: string): number => [...text].length;

/** Invariants of chunks for every text. */
function problems(text: string, chunks: readonly Chunk[]): string[] {
  const found: string[] = [];
  let at = 0;
  for (const { start, end } of chunks) {
    if (start < at || end <= start) found.push(`overlap or empty at ${start}`);
    if (text.slice(at, start).trim() !== '') found.push(`gap before ${start}`);
    const piece = text.slice(start, end);
    if (piece !== piece.trim()) found.push(`white space at the edge of ${start}`);
    if (codePoints(piece) > CHUNK_MAX) found.push(`${start} is too long`);
    if (/[\ud800-\udbff][\udc00-\udfff]/.test(text.slice(end - 1, end + 1)))
      found.push(`a character is cut at ${end}`);
    at = end;
  }
  if (text.slice(at).trim() !== '') found.push('the end is missing');
  return found;
}

const sentences = (count: number): string => 'A sentence stands here. '.repeat(count).trim();

t.test('an empty or blank text gives no chunks', async (t) => {
  t.same(chunkText(''), []);
  t.same(chunkText(' \n\u00a0\n\t '), []);
});

t.test('every section has the headings above it', async (t) => {
  const text =
    'Before.\n\n# Guide\n\nIntro.\n\n## Install ##\n\nRun it.\n\n### Linux\n\nApt.\n\n## Use\n\nCall it.';
  t.same(
    chunkText(text).map((chunk) => [text.slice(chunk.start, chunk.end), chunk.headings]),
    [
      ['Before.', []],
      ['# Guide\n\nIntro.', ['Guide']],
      ['## Install ##\n\nRun it.', ['Guide', 'Install']],
      ['### Linux\n\nApt.', ['Guide', 'Install', 'Linux']],
      ['## Use\n\nCall it.', ['Guide', 'Use']],
    ],
  );
});

t.test('no heading is alone in a chunk', async (t) => {
  t.same(pieces('# A\n\n## B\n\ntext'), ['# A\n\n## B\n\ntext']);
  const empty = '# A\n\n## B\n\n## C\n\ntext\n\n## D';
  t.same(
    chunkText(empty).map((chunk) => [empty.slice(chunk.start, chunk.end), chunk.headings]),
    [[empty, ['A', 'C']]],
  );
  const long = sentences(110);
  for (const text of [
    `# A\n\n${'x'.repeat(CHUNK_MAX)}`,
    `# A\n\n\`\`\`\n${'y = 1;\n'.repeat(283)}\`\`\``,
    `# A\n\n| ${'cell | '.repeat(280)}\n| ${'cell | '.repeat(280)}`,
    `${long}\n\n# End`,
    `${'## Outline of it\n\n'.repeat(140)}${long}`,
  ]) {
    t.same(problems(text, chunkText(text)), []);
    const alone = pieces(text).filter((piece) => /^#+ .*$/.test(piece));
    t.same(alone, [], text.slice(0, 20));
  }
  t.match(pieces(`${long}\n\n# End`).at(-1), /stands here\.\n\n# End$/);
});

t.test('headings inside code are code', async (t) => {
  const text = '# Shell\n\n```sh\n# a comment\nls\n```\n\nDone.\n\n#hashtag';
  t.same(
    chunkText(text).map((chunk) => chunk.headings),
    [['Shell']],
  );
});

t.test('underlined lines are headings', async (t) => {
  const text =
    'Guide\n=====\n\nIntro.\n\n**Install** it {#install}\n---\nRun it.\n\nA b.\nc\n---\n\n- item\n---';
  t.same(
    chunkText(text).map((chunk) => [text.slice(chunk.start, chunk.end), chunk.headings]),
    [
      ['Guide\n=====\n\nIntro.', ['Guide']],
      [text.slice(text.indexOf('**Install')), ['Guide', 'Install it']],
    ],
  );
  t.same(pieces('---\ntitle: x\n---\n\ntext'), ['---\ntitle: x\n---\n\ntext'], 'front matter is none');
});

t.test('titles lose their markers', async (t) => {
  const titles = ['# **Bold** move ##', '# Name {#name .wide}', '# C# and `x`', '# #'];
  t.same(
    titles.map((line) => chunkText(`${line}\n\ntext`)[0]?.headings),
    [['Bold move'], ['Name'], ['C# and `x`'], ['#']],
  );
});

t.test('in plain text, # is an ordinary character', async (t) => {
  const text = '# a comment\nrun\n\n# another\nstop\n\nNotes\n=====\n\nText.';
  t.same(
    chunkText(text, 'plain').map((chunk) => [text.slice(chunk.start, chunk.end), chunk.headings]),
    [
      ['# a comment\nrun\n\n# another\nstop', []],
      ['Notes\n=====\n\nText.', ['Notes']],
    ],
  );
});

t.test('short lines stay with the text that follows', async (t) => {
  const table = `| Size | Price |\n${'| ten by twenty | 12.50 |\n'.repeat(20)}`.trim();
  const starts: [string, string][] = [
    ['Opening hours', sentences(30)],
    ['**What does it cost?**', sentences(30)],
    ['We charge these prices:', table],
    ['この表は料金です：', table],
    ['Term one\n: What it means is said here.', sentences(30)],
  ];
  for (const [line, rest] of starts) {
    const text = `${sentences(49)}\n\n${line}\n\n${rest}`;
    t.same(problems(text, chunkText(text)), []);
    t.ok(
      pieces(text).some((piece) => piece.startsWith(line) && piece.length > line.length),
      line,
    );
  }
  const list = `${sentences(49)}\n\n- one\n- two\n\n${table}`;
  t.ok(
    pieces(list).some((piece) => piece.endsWith('- two')),
    'items of a list stay with it',
  );
});

t.test('sentences stay whole', async (t) => {
  const text = 'Dr. Smith came at 3. May, e.g. by train. He said “No.” Then he left! '.repeat(60).trim();
  const found = pieces(text);
  t.same(problems(text, chunkText(text)), []);
  t.ok(found.length > 2);
  for (const piece of found) {
    t.match(piece, /(?:train\.|”|left!)$/);
    t.match(piece, /^(?:Dr\.|He|Then)/);
    t.ok(codePoints(piece) <= CHUNK_TARGET);
  }
});

t.test('sentences without spaces between them stay whole', async (t) => {
  const text = '新しい橋が月曜日に開通します。「本当ですか？」住民は近道を喜んでいます。'.repeat(80);
  t.same(problems(text, chunkText(text)), []);
  for (const piece of pieces(text)) t.match(piece, /[。」]$/);
});

t.test('sentences end with the stops of their script', async (t) => {
  const texts = {
    ur: 'یہ ایک جملہ ہے۔ ۲۔ نمبر کے بعد بھی جملہ جاری ہے۔ ',
    am: 'ይህ አረፍተ ነገር ነው። ሌላ አረፍተ ነገር አለ።',
    km: 'នេះជាប្រយោគមួយ។នេះជាប្រយោគមួយទៀត៕',
    my: 'ဤသည်မှာဝါကျတစ်ခုဖြစ်သည်။',
    hy: 'Սա նախադասություն է։ ',
  };
  for (const [language, text] of Object.entries(texts)) {
    const long = text.repeat(120).trim();
    t.same(problems(long, chunkText(long)), []);
    const found = pieces(long);
    t.ok(found.length > 1, language);
    for (const piece of found) {
      t.match(piece, /[^۲][۔።។៕။։]$/, language);
      t.ok(codePoints(piece) <= CHUNK_TARGET);
    }
  }
});

t.test('Thai, which has no stops, is divided at spaces between phrases', async (t) => {
  const phrase = 'สะพานใหม่เปิดให้ใช้ในวันจันทร์และชาวเมืองต่างยินดีกับทางลัดที่รอคอยมานานหลายปี';
  const text = `${phrase} และ ${phrase} ใน พ.ศ. 2564 มี `.repeat(20).trim();
  t.same(problems(text, chunkText(text)), []);
  const found = pieces(text);
  t.ok(found.length > 2);
  for (const piece of found) {
    t.ok(codePoints(piece) <= CHUNK_TARGET);
    t.notMatch(piece, /^2564/);
  }
});

t.test('chunks of wide characters are shorter', async (t) => {
  const sentence = '新しい橋が月曜日に開通します。';
  const text = sentence.repeat(200);
  for (const piece of pieces(text)) t.ok(codePoints(piece) <= 0.55 * CHUNK_TARGET);
  t.equal(Math.max(...pieces('漢'.repeat(5_000)).map(codePoints)), CHUNK_MAX / 2);
});

t.test('rows of a table with a repeated header start a chunk with it', async (t) => {
  const part = `| Name | Price |\n| --- | --- |\n${'| A thing of some length | 12.50 |\n'.repeat(34)}`;
  const text = [part, part, part].join('\n').trim();
  t.same(problems(text, chunkText(text)), []);
  t.equal(pieces(text).length, 3);
  for (const piece of pieces(text)) t.match(piece, /^\| Name \| Price \|/);
  const sheet = 'Dr. A | No. 5. It is so | x\n'.repeat(200);
  for (const piece of pieces(sheet)) t.match(piece, /^(?:Dr\. A \| No\. 5\. It is so \| x\n?)+$/);
});

t.test('code and tables stay together up to the limit, then divide between lines', async (t) => {
  const code = `\`\`\`\n${'let value = compute(1);\n'.repeat(60)}\`\`\``;
  const text = `${'A sentence of some length stands here. '.repeat(20)}\n\n${code}\n\nAfter.`;
  t.ok(pieces(text).some((piece) => piece.includes(code)));
  const rows = '| key | a value of some length | 12 |\n'.repeat(200);
  t.same(problems(rows, chunkText(rows)), []);
  for (const piece of pieces(rows)) t.match(piece, /^(?:\| key \| a value of some length \| 12 \|\n?)+$/);
});

t.test('sizes are code points, and no character is split', async (t) => {
  const text = '😀'.repeat(CHUNK_MAX * 3 + 7);
  t.same(problems(text, chunkText(text)), []);
  t.equal(chunkText(text).length, 4);
  t.equal(codePoints(pieces(text)[0] ?? ''), CHUNK_MAX);
});

t.test('unusual texts are covered without overlap, deterministically', async (t) => {
  const texts = [
    'x'.repeat(300_000),
    'word '.repeat(40_000),
    `a${' '.repeat(5_000)}b\n`.repeat(50),
    '.'.repeat(20_000),
    '\n\n\n# \n#\n##\n####### seven\n```',
    '```\nnever closed\n\n# not a heading\n'.repeat(500),
    '| a |\n\n| b |\nplain\n~~~\ncode\n~~~\n'.repeat(300),
    '\ud83d lone \ude00 halves \ud83d'.repeat(400),
    '\u3000　全角\u00a0'.repeat(3_000),
    'Title\n---\n'.repeat(2_000),
    'A question?\n\n'.repeat(2_000),
    'a:\n\n| b |\n\n## c\n\n'.repeat(1_000),
    `${'# h\n'.repeat(1_500)}${'สวัสดี '.repeat(2_000)}`,
  ];
  for (const text of texts) {
    t.same(problems(text, chunkText(text)), [], text.slice(0, 20));
    t.same(chunkText(text), chunkText(text));
  }
});

t.test('the rest of a long table or list has its header or introduction as innermost heading', async (t) => {
  const rows = Array.from({ length: 120 }, (_, n) => `| part ${n} | a name of some length | £${n}.50 |`);
  const table = `# Prices\n\n| Part | Name | Price |\n| --- | --- | --- |\n${rows.join('\n')}\n\n## Next\n\nText.`;
  const header = '| Part | Name | Price |';
  const paths = chunkText(table).map(({ headings }) => headings);
  t.ok(paths.length > 3);
  t.same(paths[0], ['Prices']);
  for (const path of paths.slice(1, -1)) t.same(path, ['Prices', header]);
  t.same(paths.at(-1), ['Prices', 'Next']);

  const items = Array.from(
    { length: 120 },
    (_, n) => `- An item of the list with number ${n}\n  and a second line`,
  );
  const list = `Some text.\nWe do not take back:\n\n${items.join('\n')}\n\nAsk us for everything else.`;
  const [first, ...others] = chunkText(list).map(({ headings }) => headings);
  t.same(first, []);
  t.ok(others.length > 2);
  for (const path of others) t.same(path, ['We do not take back:']);

  const tabs = Array.from({ length: 120 }, (_, n) => `SKU-${n}\tHardware\t$${n}.00`);
  for (const { headings } of chunkText(`Code\tKind\tCost\n${tabs.join('\n')}`).slice(1))
    t.same(headings, ['Code\tKind\tCost']);
  for (const { headings } of chunkText(`${sentences(300)}\n${sentences(300)}`)) t.same(headings, []);
});

t.test('reading back to the header of a table takes linear time', async (t) => {
  const rows = (count: number) =>
    Array.from({ length: count }, (_, n) => `row ${n} | ${n * 7} | text`).join('\n');
  const text = `Row | Number | Text\n${rows(30_000)}`;
  const chunks = chunkText(text);
  t.ok(chunks.length > 300);
  t.same(chunks.at(-1)?.headings, ['Row | Number | Text']);
});

t.test('a paragraph without line breaks takes linear time', async (t) => {
  // quadratic time takes minutes
  const text = 'Many words. '.repeat(2_000_000);
  const chunks = chunkText(text);
  t.ok(chunks.length > 10_000);
  t.equal(chunks.at(-1)?.end, text.length - 1);
});
