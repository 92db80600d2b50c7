import { extractiveAnswer } from '../../../adapters/extractive/answer.js';
import { foundIn } from '../../support/found.js';
import t from '../../support/t.js';

const answer = (question: string, text: string): string =>
  [
    ...extractiveAnswer({ question, found: foundIn(question, [{ text }]), language: 'en', smallTalk: null }),
  ].join('');

t.test('names the row and the column that a question asks for', async (t) => {
  const table = [
    '| Ferry | Adult | Child | Bicycle |',
    '| --- | --- | --- | --- |',
    '| Northern island | 18.00 € | 9.00 € | 6.50 € |',
    '| Southern island | 24.00 € | 12.00 € | 8.00 € |',
  ].join('\n');
  t.match(
    answer('What does a child pay to the southern island?', table),
    /^Southern island, Child: 12\.00 €\s+\[1\]$/,
  );
  t.match(answer('southern island', table), /Adult: 24\.00 €[\s\S]*Bicycle: 8\.00 €/, 'no column is named');
});

t.test('never quotes contents, index entries and page heads', async (t) => {
  const manual = [
    'Contents\n\nBallast tanks ........ 4\nKeel bolts ........ 9\n',
    '# Ballast tanks\n\nBallast tanks hold sea water that keeps the boat upright.\n',
    'Boat manual – page 5\n',
    '# Keel bolts\n\nKeel bolts are tightened every spring.\n',
    'Index\n\nballast tanks, 4, 7\nkeel bolts, 9–11\n',
  ].join('\n');
  for (const [question, sentence] of [
    ['What are ballast tanks?', 'Ballast tanks hold sea water'],
    ['keel bolts', 'Keel bolts are tightened'],
  ] as const) {
    const quoted = answer(question, manual);
    t.match(quoted, sentence);
    t.notMatch(quoted, /\.\.\.\.|, \d|page 5/, question);
  }
});

t.test('prefers a denial for a question with a negation', async (t) => {
  const weather = 'It rains in November, as it always has, and it snows in the hills. '.repeat(5);
  const text = `The washer takes wool, silk and cotton fabrics.\n\n${weather}\n\nThe washer does not take leather and fur fabrics.`;
  t.match(answer('Which fabrics does the washer not take?', text), /^The washer does not take leather/);
});
