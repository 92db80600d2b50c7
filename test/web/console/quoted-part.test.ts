import { quotedPart } from '../../../web/console/src/pages/ask/quoted-part.js';
import t from '../../support/t.js';

const blockAround = (text: string, quote: string): string => {
  const start = text.indexOf(quote);
  const { block } = quotedPart(text, start, start + quote.length);
  return text.slice(block.start, block.end);
};

const table = '| Method | Cost |\n| --- | --- |\n| Express | £8.50 |\n| Standard | £3.95 |';
const text = `# Delivery\n\nWe send parcels daily. They are quick.\n\n## Not by post\n\nWe do not send:\n\n- Gas\n- Ropes\n\n${table}`;

t.test('the block of a quotation is the whole paragraph, list or table', async (t) => {
  t.equal(blockAround(text, 'They are quick.'), 'We send parcels daily. They are quick.');
  t.equal(blockAround(text, '- Ropes'), 'We do not send:\n\n- Gas\n- Ropes');
  t.equal(blockAround(text, 'We do not send:\n\n- Gas'), 'We do not send:\n\n- Gas\n- Ropes');
  t.equal(blockAround(text, '| Standard | £3.95 |'), table);
  const start = text.indexOf('- Gas');
  t.same(quotedPart(text, start, start + 5).headings, ['Delivery', 'Not by post']);
});

t.test('a long source is shown in part, by whole lines', async (t) => {
  const line = `${'A line of the source. '.repeat(5)}\n`;
  const long = `${line.repeat(100)}The quotation.\n${line.repeat(100)}`;
  const start = long.indexOf('The quotation.');
  const { from, to } = quotedPart(long, start, start + 14);
  t.ok(from > 0 && long[from - 1] === '\n' && start - from < 4000);
  t.ok(to < long.length && long[to] === '\n' && to - start < 4000);
  const endless = 'word '.repeat(5000);
  const part = quotedPart(endless, 12_000, 12_010);
  t.ok(part.to - part.from < 7000);
  t.ok(part.block.start >= part.from && part.block.end <= part.to);
});
