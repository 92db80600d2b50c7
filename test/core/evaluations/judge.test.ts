import { compare } from '../../../core/evaluations/compare.js';
import { judge } from '../../../core/evaluations/judge.js';
import { completeQuestion, type SentQuestion } from '../../../core/evaluations/new-question.js';
import { figuresOf } from '../../../core/evaluations/tally.js';
import type { Verdict } from '../../../core/schemas/evaluations.js';
import t from '../../support/t.js';

const judged = (sent: Partial<SentQuestion>, text: string, ...titles: string[]) =>
  judge(completeQuestion({ question: 'How long?', source: ['Lamp'], ...sent }), { text, titles });

t.test('an answer is right only with all groups and the expected sources', async (t) => {
  const answer = [['90 minutes', 'an hour and a half'], ['USB-C']];
  t.equal(judged({ answer }, 'About **90  minutes** over usb‑c'.replace('‑', '-'), 'Lamp'), 'right');
  t.equal(judged({ answer }, 'An hour and a half, over USB-C.', 'Lamp'), 'right');
  t.equal(judged({ answer }, 'About 90 minutes.', 'Lamp'), 'partly', 'a group is missing');
  t.equal(judged({ answer }, 'About 90 minutes over USB-C.', 'Chair'), 'wrong', 'another source');
  t.equal(judged({ answer, mustNot: ['about'] }, 'About 90 minutes, USB-C.', 'Lamp'), 'partly');
  t.equal(judged({ answer, mustNot: ['about'] }, 'About that.', 'Lamp'), 'wrong');
  t.equal(judged({ answer }, 'About 90 minutes over USB-C.'), 'refused', 'no source');
});

t.test('one of several sources suffices only if the question says so', async (t) => {
  const source = ['Lamp', 'Chair'];
  t.equal(judged({ source }, 'Yes.', 'Lamp'), 'partly');
  t.equal(judged({ source, sourceMode: 'any' }, 'Yes.', 'Lamp'), 'right');
});

t.test('numbers match as a whole, words from their beginning, short words as a whole', async (t) => {
  const has = (pattern: string, text: string) => judged({ answer: [[pattern]] }, text, 'Lamp') === 'right';
  t.ok(has('9', 'from 9 to 5'));
  for (const text of ['9:30', '19', '1.9', '95']) t.notOk(has('9', text), text);
  t.ok(has('guarant', 'The guarantee'));
  t.notOk(has('rant', 'The guarantee'));
  t.notOk(has('red', 'reduced'), 'a short word');
  t.ok(has('/gu?arant/', 'The GUARANTEE'));
  t.ok(has('two years', 'two\n  years'));
});

t.test('numbers compare as numbers, however they are written', async (t) => {
  const has = (pattern: string, text: string) => judged({ answer: [[pattern]] }, text, 'Lamp') === 'right';
  const same = {
    '42': ['It is 42.', '42.00 €', 'about 42,00 €', '42.0'],
    '42.50': ['42.5', '42,5', '42,50 €'],
    '1500': ['1,500', '1.500 €', '1 500', "1'500", '1500.00', '1.500,00'],
    '1,500': ['1500', '1.500,00 €'],
    '12 €': ['12.00 €', '12,00€'],
    '9:30': ['at 9:30'],
    '0351 4459': ['0351 4459'],
    '1.2.3': ['version 1.2.3'],
  };
  for (const [pattern, texts] of Object.entries(same))
    for (const text of texts) t.ok(has(pattern, text), `${pattern} is ${text}`);
  const other = {
    '42': ['42.5', '42,05', '420', '1.42', '42.000', '142'],
    '42.50': ['42.05', '42.500.000', '425'],
    '1500': ['1500.5', '150', '15.00', '11,500'],
    '0351': ['351'],
    '1.2.3': ['1.2', '123'],
  };
  for (const [pattern, texts] of Object.entries(other))
    for (const text of texts) t.notOk(has(pattern, text), `${pattern} is not ${text}`);
});

t.test('an unanswerable question is to be refused', async (t) => {
  t.equal(judged({ type: 'off-topic' }, 'Nothing found.'), 'refused');
  t.equal(judged({ type: 'off-topic' }, 'It is Paris.', 'Lamp'), 'wrong');
  t.equal(judged({ type: 'off-topic', unanswerable: false }, 'Yes', 'Lamp'), 'right');
  t.equal(judged({ unanswerable: true }, 'Yes', 'Lamp'), 'wrong');
});

t.test('a failed question counts towards the score, one without a result does not', async (t) => {
  const tally = (verdict: Verdict | null, count: number, unanswerable = false) => ({
    verdict,
    count,
    unanswerable,
  });
  const figures = figuresOf([
    tally('right', 2),
    tally('refused', 1, true),
    tally('failed', 1),
    tally(null, 4),
  ]);
  t.match(figures, { questions: 8, right: 2, refused: 1, failed: 1, wrong: 0, score: 0.75 });
  t.equal(figuresOf([tally(null, 1)]).score, null);
});

t.test(
  'comparison: a refusal is better than a wrong answer, and what is wanted of an unanswerable',
  async (t) => {
    const row = (questionHash: string, verdict: Verdict | null, unanswerable = false) => ({
      position: 1,
      type: 'question',
      questionHash,
      verdict,
      unanswerable,
    });
    const changes = compare(
      [
        row('a', 'refused'),
        row('b', 'refused', true),
        row('c', 'partly'),
        row('d', 'failed'),
        row('e', 'right'),
      ],
      [row('a', 'wrong'), row('b', 'wrong', true), row('c', 'right'), row('d', 'right'), row('x', 'right')],
    ).map(({ change }) => change);
    t.strictSame(changes, ['better', 'better', 'worse', 'new', 'new']);
  },
);
