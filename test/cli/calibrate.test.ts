import { thresholds } from '../../cli/calibrate.js';
import t from '../support/t.js';

const compared = (right: number[], wrong: number[], coverage = 0) => [
  ...right.map((similarity) => ({ similarity, coverage, isRight: true })),
  ...wrong.map((similarity) => ({ similarity, coverage, isRight: false })),
];

t.test('the proposed threshold answers as much as possible without wrong answers', async (t) => {
  t.match(thresholds(compared([0.8, 0.6, 0.5, 0.3], [0.4, 0.2])), {
    answeringSimilarity: 0.45,
    right: 3,
    wrong: 0,
  });
  t.match(thresholds(compared([0.8, 0.6], [0.7])), { answeringSimilarity: 0.75, right: 1, wrong: 0 });
});

t.test('one wrong answer among fifty is accepted', async (t) => {
  const right = Array.from({ length: 50 }, (_, n) => 0.9 - n / 1000);
  t.match(thresholds(compared(right, [0.88, 0.2])), { right: 50, wrong: 1 });
});

t.test('coverage by words counts against the answering similarity only', async (t) => {
  const all = [...compared([0.8], [], 0.2), ...compared([], [0.7], 0.3), ...compared([0.5], [])];
  t.match(thresholds(all), { answeringSimilarity: 0.45, leastSimilarity: 0.5, right: 2, wrong: 0 });
  t.match(thresholds(compared([0.8], [], 0.2)), { answeringSimilarity: 0.58, leastSimilarity: 0.8 });
});

t.test('without a right sentence there is no threshold', async (t) => {
  t.match(thresholds(compared([], [0.5])), { answeringSimilarity: null, leastSimilarity: null });
  t.match(thresholds([]), { answeringSimilarity: null });
});
