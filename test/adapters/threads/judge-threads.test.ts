import { runTask } from '../../../adapters/threads/judge.thread.js';
import { startJudgeThreads } from '../../../adapters/threads/judge-threads.js';
import { JudgeBusy, PatternUnusable } from '../../../core/ports/judge.port.js';
import { silentLog } from '../../../core/ports/log.port.js';
import type { EvaluationQuestion } from '../../../core/schemas/evaluations.js';
import t from '../../support/t.js';
import { until } from '../../support/until.js';

const titles = ['Lamp'];
const expecting = (pattern: string): EvaluationQuestion => ({
  type: 'question',
  question: 'How long does the lamp take to charge?',
  before: [],
  answer: [[pattern]],
  source: titles,
  sourceMode: 'all',
  mustNot: [],
  unanswerable: false,
});
const owner = { workspaceId: 'w', agentId: 'a' };
const other = { workspaceId: 'other', agentId: 'b' };
/** Backtracks without end in a long text of `a`. */
const slow = (n = 0) => expecting(`/^(a+)+${n}$/`);
const hostile = { text: `${'a'.repeat(5000)}!`, titles };
const harmless = { text: 'It takes 90 minutes.', titles };

t.test('a slow pattern is remembered, for its workspace only', async (t) => {
  const judge = startJudgeThreads(silentLog);
  t.teardown(() => judge.close());
  t.equal(await judge.judge(slow(), harmless, owner), 'partly');
  await t.rejects(judge.judge(slow(), hostile, owner), PatternUnusable);
  await t.rejects(judge.judge(slow(), harmless, owner), PatternUnusable);
  t.equal(await judge.judge(slow(), harmless, other), 'partly');
  t.equal(await judge.judge(expecting('90 minutes'), harmless, owner), 'right', 'other patterns are used');
});

t.test('the slow patterns of a workspace do not delay another one', async (t) => {
  const judge = startJudgeThreads(silentLog);
  const ended: string[] = [];
  const slowOnes = Promise.allSettled(
    Array.from({ length: 12 }, (_, n) =>
      judge.judge(slow(n), hostile, owner).finally(() => ended.push('slow')),
    ),
  );
  t.equal(await judge.judge(expecting('90 minutes'), harmless, other), 'right');
  ended.push('other');
  await judge.close();
  await slowOnes;
  t.not(ended.at(-1), 'other', 'the other workspace does not wait for all of them');
});

t.test('a pattern that needs too much memory fails its question', async (t) => {
  const judge = startJudgeThreads(silentLog);
  t.teardown(() => judge.close());
  const complex = ['/(((a?){1000}){1000}){1000}/', '/[/', '/90 minutes/'];
  // A busy machine may need more than the time limit.
  const unlessBusy = (error: unknown): null => {
    if (error instanceof JudgeBusy) return null;
    throw error;
  };
  const problems = await until('the problems', () => judge.patternProblems(complex, owner).catch(unlessBusy));
  t.match(problems, ['it is too complex', /Invalid regular expression/, null]);
  const judged = until('a judgement', () =>
    judge.judge(expecting(complex[0] ?? ''), harmless, owner).catch(unlessBusy),
  );
  await t.rejects(judged, PatternUnusable);
});

t.test('a timeout while patterns are compiled is blamed on none of them', async (t) => {
  const judge = startJudgeThreads(silentLog);
  t.teardown(() => judge.close());
  const endless = Array.from({ length: 20_000 }, (_, n) => `/${n}${'\\p{L}'.repeat(90)}/`);
  await t.rejects(judge.patternProblems(endless, owner), JudgeBusy);
});

t.test('a pause of the machine is blamed on no pattern', (t) => {
  const { mustNot, ...question } = expecting('90 minutes');
  const paused = {
    ...question,
    get mustNot() {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
      return mustNot;
    },
  };
  t.strictSame(runTask({ question: paused, ...harmless, slow: [] }), { late: null });
  t.end();
});
