import { LRUCache } from 'lru-cache';
import { mayTakeShare } from '../../core/fairness/shares.js';
import { type Judge, JudgeBusy, PatternUnusable } from '../../core/ports/judge.port.js';
import type { Log } from '../../core/ports/log.port.js';
import { type FairThreads, fairThreads, isBusy } from './fair-threads.js';
import type { CompileTask, Judgement, JudgeTask, PatternProblems, runTask } from './judge.thread.js';

/** A workspace gets one of two threads, so that its slow patterns do not delay other workspaces. */
const THREADS = 2;
/** Timeout of a task including the start of the thread. The thread itself uses shorter timeouts. */
const LIMIT_MS = 10_000;
/** Size of the cache of slow patterns. Patterns are short. */
const SLOW_PATTERNS = 1000;
/** Time for which a pattern counts as slow: ten minutes, because a busy machine may have caused both timeouts. */
const SLOW_MS = 600_000;

/** Returns a judge that runs in threads, because regular expressions of clients may take exponential time. */
export function startJudgeThreads(log: Log): Judge & { close(): Promise<void> } {
  const threads: FairThreads<JudgeTask | CompileTask, ReturnType<typeof runTask>> = fairThreads({
    module: 'judge.thread',
    name: 'runTask',
    threads: THREADS,
    rule: mayTakeShare,
    limitMs: LIMIT_MS,
    log,
  });
  const slow = new LRUCache<string, true>({ max: SLOW_PATTERNS, ttl: SLOW_MS });
  const run: typeof threads.run = (task, owner) =>
    threads.run(task, owner).catch((error: unknown) => {
      throw isBusy(error) ? new JudgeBusy() : error;
    });

  return {
    async judge(question, { text, titles }, owner) {
      const keyOf = (pattern: string): string => `${owner.workspaceId} ${pattern}`;
      const patterns = [...question.answer.flat(), ...question.mustNot];
      const task = { question, text, titles, slow: patterns.filter((pattern) => slow.has(keyOf(pattern))) };
      let judgement = (await run(task, owner)) as Judgement;
      // Try again, because the machine may have paused. Only a second timeout counts against an expression.
      if (isLate(judgement)) judgement = (await run(task, owner)) as Judgement;
      if (judgement === 'unusable') throw new PatternUnusable();
      if ('verdict' in judgement) return judgement.verdict;
      if (judgement.late === null) throw new JudgeBusy();
      slow.set(keyOf(judgement.late), true);
      throw new PatternUnusable();
    },
    async patternProblems(patterns, owner) {
      const problems = (await run({ patterns }, owner)) as PatternProblems;
      if (problems === null) throw new JudgeBusy();
      return problems;
    },
    close: () => threads.close(),
  };
}

const isLate = (judgement: Judgement): judgement is Extract<Judgement, { late: unknown }> =>
  judgement !== 'unusable' && 'late' in judgement;
