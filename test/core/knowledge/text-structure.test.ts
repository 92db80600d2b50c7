import type { TextRange } from '../../../core/knowledge/text/sentences.js';
import { cellsOf } from '../../../core/knowledge/text/table-rows.js';
import { structuresOf } from '../../../core/knowledge/text/text-structure.js';
import t from '../../support/t.js';

/** Structures with their texts instead of ranges. */
const read = (text: string, above?: string[]) =>
  structuresOf(text, above).map(({ kind, headings, lead, header, items, start, end }) => {
    const sliced = (range: TextRange | null): string | null =>
      range === null ? null : text.slice(range.start, range.end);
    return {
      kind,
      headings,
      lead: sliced(lead),
      header: sliced(header),
      items: items.map(sliced),
      whole: text.slice(start, end),
    };
  });

t.test('paragraphs have sentences and the headings above them', async (t) => {
  const text = '# Returns\n\nWithin 30 days. Keep the box.\n\n## Costs\n\nNone.\n\n# Other\n\nNothing.';
  t.match(read(text), [
    { kind: 'paragraph', headings: ['Returns'], items: ['Within 30 days.', 'Keep the box.'], lead: null },
    { kind: 'paragraph', headings: ['Returns', 'Costs'], items: ['None.'] },
    { kind: 'paragraph', headings: ['Other'], items: ['Nothing.'] },
  ]);
});

t.test('headings in the text continue the path above it', async (t) => {
  const [first, second] = read('Text.\n\n## Costs\n\nNone.', ['Returns', 'Costs']);
  t.same(first?.headings, ['Returns', 'Costs']);
  t.same(second?.headings, ['Returns', 'Costs']);
});

t.test('a heading without a section is a paragraph, because it may hold a value', async (t) => {
  t.match(read('# Bill\n\n## TOTAL $821.14\n\n=====\n\nPaid $5\n---\n\n## How\n\nBy card.\n\n## End'), [
    { headings: ['Bill', 'TOTAL $821.14'], items: ['TOTAL $821.14'] },
    { items: ['Paid $5'] },
    { items: ['By card.'] },
    { items: ['End'] },
  ]);
});

t.test('a list has whole items, and the line that introduces it', async (t) => {
  const text =
    'We refund most things. These cannot be returned:\n\n- Gift vouchers\n- Food, such as\n  energy gels\n  - also opened ones\n\n- Ropes\n\nAsk us.';
  const [list, after] = read(text);
  t.match(list, {
    kind: 'list',
    lead: 'We refund most things. These cannot be returned:',
    items: ['- Gift vouchers', '- Food, such as\n  energy gels\n  - also opened ones', '- Ropes'],
  });
  t.match(after, { kind: 'paragraph', items: ['Ask us.'], lead: null });
  t.match(read('1. One\n2. Two\n\na) Three'), [{ kind: 'list', items: ['1. One', '2. Two', 'a) Three'] }]);
});

t.test('only the last sentence of a long paragraph introduces a list', async (t) => {
  const [paragraph, list] = read(`${'We refund most things. '.repeat(10)}Not these:\n- Ropes\n- Food`);
  t.equal(list?.lead, 'Not these:');
  t.equal(paragraph?.items.length, 10);
});

t.test('a short line without a stop introduces the text below it', async (t) => {
  t.match(read('Delivery\n\nTwo days.\n\nThe end'), [
    { lead: 'Delivery', items: ['Two days.'] },
    { lead: null, items: ['The end'] },
  ]);
});

t.test('tables have a header if it is marked or looks like one', async (t) => {
  t.match(read('| Size | Chest |\n| --- | --- |\n| S | 88–94 cm |\n| M | 95 cm |'), [
    { kind: 'table', header: '| Size | Chest |', items: ['| S | 88–94 cm |', '| M | 95 cm |'] },
  ]);
  t.match(read('Month | Bears | Whales\nJan | 8 | 80'), [{ header: 'Month | Bears | Whales' }]);
  t.match(read('Code\tPlace\tCount\nSKU-1\tA-12\t450\nSKU-2\tB-7\t9'), [
    { kind: 'table', header: 'Code\tPlace\tCount', items: ['SKU-1\tA-12\t450', 'SKU-2\tB-7\t9'] },
  ]);
  t.match(read('1 | one\n2 | two'), [{ header: null, items: ['1 | one', '2 | two'] }]);
  t.match(read('Weight | 8 kg\nHeight | 20 cm'), [{ header: null }]);
  t.match(read('|  |  |\n| --- | --- |\n| Weight | 8 kg |'), [
    { header: null, items: ['| Weight | 8 kg |'] },
  ]);
});

t.test('cells are read with and without outer bars', async (t) => {
  t.same(cellsOf('| a | b\\|c |  |'), ['a', 'b\\|c', '']);
  t.same(cellsOf('| Bears | Whales'), ['', 'Bears', 'Whales']);
  t.same(cellsOf('a\tb c\t\td'), ['a', 'b c', 'd']);
});

t.test('code is whole, with the sentence that says what it does', async (t) => {
  const code = '```sh\nnpx drain --yes\n\nnpx other\n```';
  t.match(read(`# Commands\n\nEmpty a queue. This cannot be undone:\n\n${code}\n\nDone.`), [
    {
      kind: 'code',
      lead: 'Empty a queue. This cannot be undone:',
      whole: code,
      items: ['npx drain --yes', 'npx other'],
    },
    { kind: 'paragraph' },
  ]);
  t.match(read(`It repeats. A job can wait.\n\n${code}`), [
    { kind: 'paragraph', items: ['It repeats.', 'A job can wait.'] },
    { kind: 'code', lead: 'A job can wait.' },
  ]);
});

t.test('lines with a label are fields', async (t) => {
  t.match(read('Contact\n\nPhone: 01539 440 228\n**E-mail:** a@b.example\nAddress: 7 Harbour Lane'), [
    {
      kind: 'fields',
      lead: 'Contact',
      items: ['Phone: 01539 440 228', '**E-mail:** a@b.example', 'Address: 7 Harbour Lane'],
    },
  ]);
  t.match(read('See https://a.example for it.\nSee https://b.example too.'), [{ kind: 'paragraph' }]);
});

t.test('a wrapped line continues its sentence', async (t) => {
  t.match(
    read('The arguments are the same as those that are passed to the\nRequest constructor.\nOther.\nline'),
    [
      {
        items: [
          'The arguments are the same as those that are passed to the\nRequest constructor.',
          'Other.',
          'line',
        ],
      },
    ],
  );
});

t.test('every part of a text that is not a heading is in a structure or a lead', async (t) => {
  const text =
    'a:\n\n```\ncode\n\n| x | y |\n\tb\tc\n- d\n> e\n***\nQ: f\nA: g\n1) h\n\n\ni |\n## j\n\nk: l\n';
  const structures = structuresOf(text);
  const isHeld = (at: number): boolean =>
    structures.some(
      ({ start, end, lead }) =>
        (start <= at && at < end) || (lead !== null && lead.start <= at && at < lead.end),
    );
  for (const [at, character] of [...text].entries())
    if (/[a-ik-l]/.test(character)) t.ok(isHeld(at), `${character} at ${at}`);
});
