import { lineChanges } from '../../../core/knowledge/text/line-changes.js';
import t from '../../support/t.js';

const lines = (count: number, word: string): string =>
  Array.from({ length: count }, (_, n) => `${word} ${n}`).join('\n');

t.test('added and removed lines are in the order of the page', async (t) => {
  const before = 'Prices\n\nBread 5\nRye 6\nOpen daily';
  const after = 'Prices\nBread 6\n\n\nRye 6\nOpen daily\nClosed in May';
  t.strictSame(lineChanges(before, after), {
    added: 2,
    removed: 1,
    diff: [
      { op: '-', text: 'Bread 5' },
      { op: '+', text: 'Bread 6' },
      { op: '+', text: 'Closed in May' },
    ],
  });
  t.strictSame(lineChanges(before, `${before}\n \n`), { added: 0, removed: 0, diff: [] });
});

t.test('texts that differ a lot are compared by their lines', async (t) => {
  const { added, removed, diff } = lineChanges(
    `${lines(3000, 'old')}\nkept\ntwice\ntwice`,
    `twice\nkept\n${lines(2000, 'new')}`,
  );
  t.strictSame([added, removed], [2000, 3001]);
  t.strictSame(diff[0], { op: '-', text: 'old 0' });
});

t.test('a diff holds at most 16 KiB, and whole characters', async (t) => {
  const { added, diff } = lineChanges('', `${'a'.repeat(16_382)}\n${'é🙂'.repeat(100)}\nlast`);
  t.equal(added, 3);
  t.strictSame(
    diff.map(({ text }) => text),
    ['a'.repeat(16_382), 'é'],
  );
});
