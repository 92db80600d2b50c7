import t from 'tap';
import { startJudgeThreads } from '../../adapters/judge-threads/index.js';
import { PatternUnusable } from '../../core/ports/judge.port.js';
import { silentLog } from '../../core/ports/log.port.js';
import type { EvaluationQuestion } from '../../core/schemas/evaluations.js';

t.setTimeout(200_000);

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
  let ended = 0;
  const slowOnes = Promise.allSettled(
    Array.from({ length: 12 }, (_, n) =>
      judge.judge(slow(n), hostile, owner).finally(() => {
        ended += 1;
      }),
    ),
  );
  for (let n = 0; n < 12; n += 1)
    t.equal(await judge.judge(expecting('90 minutes'), harmless, other), 'right');
  t.ok(ended < 6, `${ended} slow questions came first`);
  await judge.close();
  await slowOnes;
});

t.test('a pattern that needs too much memory fails its question', async (t) => {
  const judge = startJudgeThreads(silentLog);
  t.teardown(() => judge.close());
  const complex = ['/(((a?){1000}){1000}){1000}/', '/[/', '/90 minutes/'];
  t.match(await judge.patternProblems(complex, owner), [
    'it is too complex',
    /Invalid regular expression/,
    null,
  ]);
  await t.rejects(judge.judge(expecting(complex[0] ?? ''), harmless, owner), PatternUnusable);
});
