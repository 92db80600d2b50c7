import t from 'tap';
import { CHUNK_MAX, CHUNK_TARGET, chunkText } from '../../../core/knowledge/chunk-text.js';
import type { Chunk } from '../../../core/tasks/wire.js';

const pieces = (text: string): string[] => chunkText(text).map((chunk) => text.slice(chunk.start, chunk.end));
const codePoints = (text: string): number => [...text].length;

/** What must hold for every text. */
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

t.test('nothing to say gives no chunks', async (t) => {
  t.same(chunkText(''), []);
  t.same(chunkText(' \n\u00a0\n\t '), []);
});

t.test('every section knows the headings above it', async (t) => {
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

t.test('a heading without text of its own goes with the part below it, or stands alone', async (t) => {
  t.same(pieces('# A\n\n## B\n\ntext'), ['# A\n\n## B\n\ntext']);
  t.same(pieces('# A\n\n## B\n\n## C\n\ntext'), ['# A\n\n## B', '## C\n\ntext']);
});

t.test('what looks like a heading inside of code is code', async (t) => {
  const text = '# Shell\n\n```sh\n# a comment\nls\n```\n\nDone.\n\n#hashtag';
  t.same(
    chunkText(text).map((chunk) => chunk.headings),
    [['Shell']],
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

t.test('code and tables stay together up to the limit, then divide between lines', async (t) => {
  const code = `\`\`\`\n${'let value = compute(1);\n'.repeat(60)}\`\`\``;
  const text = `${'A sentence of some length stands here. '.repeat(20)}\n\n${code}\n\nAfter.`;
  t.ok(pieces(text).some((piece) => piece.includes(code)));
  const rows = '| key | a value of some length | 12 |\n'.repeat(200);
  t.same(problems(rows, chunkText(rows)), []);
  for (const piece of pieces(rows)) t.match(piece, /^(?:\| key \| a value of some length \| 12 \|\n?)+$/);
});

t.test('sizes are code points, and no character is cut', async (t) => {
  const text = '😀'.repeat(CHUNK_MAX * 3 + 7);
  t.same(problems(text, chunkText(text)), []);
  t.equal(chunkText(text).length, 4);
  t.equal(codePoints(pieces(text)[0] ?? ''), CHUNK_MAX);
});

t.test('odd texts are covered without overlap, the same way each time', async (t) => {
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
  ];
  for (const text of texts) {
    t.same(problems(text, chunkText(text)), [], text.slice(0, 20));
    t.same(chunkText(text), chunkText(text));
  }
});
